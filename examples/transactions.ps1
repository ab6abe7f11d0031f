<#
.SYNOPSIS
Pushes and lists transactions, with Windows PowerShell 5.1 and PowerShell 7 alike.

.DESCRIPTION
  $env:BUDGETD_URL = 'http://127.0.0.1:8080'; $env:BUDGETD_KEY = 'bdg_live_...'
  .\transactions.ps1 push rows.ndjson                a JSON row a line
  .\transactions.ps1 list status=unallocated q=rent  prints each page as a line of JSON
A value with a comma needs quotes: 'status=unallocated,needs_review'.

Exit: 0 done, 1 failed, 3 rows were rejected (they are printed). A failed push can be run again: a
row is known by its externalId, so what is stored already is updated, never doubled.

It asks with .NET's HttpClient, which is the same in both. Invoke-RestMethod is not: 5.1 sends a
text as ISO-8859-1, hides the headers of a refusal elsewhere, and adds an Expect header.
#>
param(
  [Parameter(Position = 0)] [string] $Command = '',
  [Parameter(Position = 1, ValueFromRemainingArguments = $true)] [string[]] $Rest = @()
)

$ErrorActionPreference = 'Stop'
Set-StrictMode -Version 2
Add-Type -AssemblyName System.Net.Http

$BatchRows = 500
$Tries = 6
$Passing = @(408, 429, 502, 503, 504)
$Utf8 = [System.Text.UTF8Encoding]::new($false)
# It throws where the other puts question marks.
$StrictUtf8 = [System.Text.UTF8Encoding]::new($false, $true)

if ($PSVersionTable.PSVersion.Major -lt 6) {
  # An older Windows does not offer TLS 1.2 by itself; 0 is "as the system has it".
  $offered = [System.Net.ServicePointManager]::SecurityProtocol
  if ([int] $offered -ne 0) {
    $tls12 = [System.Net.SecurityProtocolType]::Tls12
    [System.Net.ServicePointManager]::SecurityProtocol = $offered -bor $tls12
  }
}

$handler = [System.Net.Http.HttpClientHandler]::new()
# Followed, a redirected push would become a reading.
$handler.AllowAutoRedirect = $false
$client = [System.Net.Http.HttpClient]::new($handler)
$client.Timeout = [TimeSpan]::FromSeconds(60)

function New-Request([string] $Path, [string] $Json) {
  $method = [System.Net.Http.HttpMethod]::Get
  if ($Json -ne '') { $method = [System.Net.Http.HttpMethod]::Post }
  $address = $env:BUDGETD_URL.TrimEnd('/') + $Path
  $request = [System.Net.Http.HttpRequestMessage]::new($method, $address)
  $bearer = [System.Net.Http.Headers.AuthenticationHeaderValue]::new('Bearer', $env:BUDGETD_KEY)
  $request.Headers.Authorization = $bearer
  $request.Headers.ExpectContinue = $false
  if ($Json -ne '') {
    # Bytes: whatever PowerShell would make of a text, this is UTF-8.
    $bytes = $Utf8.GetBytes($Json)
    $request.Content = [System.Net.Http.ByteArrayContent]::new($bytes)
    $type = [System.Net.Http.Headers.MediaTypeHeaderValue]::Parse('application/json')
    $request.Content.Headers.ContentType = $type
  }
  return $request
}

# The status and the text of an answer. Where the service is busy, or nothing came back, it waits
# and asks again: as long as Retry-After says, else longer each time.
function Get-Answer([string] $Path, [string] $Json) {
  for ($attempt = 0; ; $attempt++) {
    $waitSeconds = [Math]::Pow(2, $attempt)
    try {
      $request = New-Request $Path $Json
      $response = $client.SendAsync($request).GetAwaiter().GetResult()
      $bytes = $response.Content.ReadAsByteArrayAsync().GetAwaiter().GetResult()
      $status = [int] $response.StatusCode
      if ($Passing -notcontains $status) {
        return @{ Status = $status; Text = $Utf8.GetString($bytes) }
      }
      $reason = "answer $status"
      $after = $response.Headers.RetryAfter
      if ($null -ne $after -and $null -ne $after.Delta) {
        $waitSeconds = $after.Delta.TotalSeconds
      }
    } catch {
      # Refused, cut, or no answer in time.
      $reason = $_.Exception.GetBaseException().Message
    }
    if ($attempt -eq $Tries) { throw "Gave up after $Tries tries; the last was: $reason" }
    [Console]::Error.WriteLine("${reason}: trying again in $waitSeconds s")
    Start-Sleep -Milliseconds ([int] (1000 * $waitSeconds))
  }
}

# Pushes one batch of lines; how many were rejected. Prints those.
function Send-Batch([string[]] $Lines, [int] $Sent) {
  $answer = Get-Answer '/api/v1/transactions' ('{"rows":[' + ($Lines -join ',') + ']}')
  # 422: every row of the batch was rejected; the results are there all the same.
  if (@(200, 422) -notcontains $answer.Status) { throw "Answer $($answer.Status): $($answer.Text)" }
  $results = @((ConvertFrom-Json -InputObject $answer.Text).data)
  if ($results.Count -ne $Lines.Count) { throw "$($results.Count) results: is that a budgetd?" }
  $rejected = 0
  foreach ($result in $results) {
    if ($result.status -ne 'rejected') { continue }
    $rejected++
    foreach ($fault in $result.errors) {
      $where = "row $($Sent + $result.index + 1) rejected: $($result.externalId): $($fault.field)"
      [Console]::Out.WriteLine("${where}: $($fault.message) [$($fault.code)]")
    }
  }
  $answered = $Sent + $Lines.Count
  [Console]::Error.WriteLine("$answered rows answered, $rejected of the last rejected")
  return $rejected
}

function Push-File([string] $File) {
  $path = (Resolve-Path -LiteralPath $File).ProviderPath
  $batch = [System.Collections.Generic.List[string]]::new()
  $sent = 0
  $rejected = 0
  foreach ($line in [System.IO.File]::ReadLines($path, $StrictUtf8)) {
    if ($line.Trim() -eq '') { continue }
    $batch.Add($line)
    if ($batch.Count -lt $BatchRows) { continue }
    $rejected += Send-Batch $batch.ToArray() $sent
    $sent += $batch.Count
    $batch.Clear()
  }
  if ($batch.Count -gt 0) { $rejected += Send-Batch $batch.ToArray() $sent }
  return $rejected
}

function Write-Transactions([string[]] $Filters) {
  $query = '?limit=1000'
  foreach ($filter in $Filters) {
    $name, $value = $filter -split '=', 2
    $query += '&' + [Uri]::EscapeDataString($name) + '=' + [Uri]::EscapeDataString($value)
  }
  $cursor = ''
  do {
    $answer = Get-Answer "/api/v1/transactions$query$cursor" ''
    if ($answer.Status -ne 200) { throw "Answer $($answer.Status): $($answer.Text)" }
    # As it came: to read it and write it again would change dates and numbers.
    [Console]::Out.WriteLine($answer.Text)
    $next = (ConvertFrom-Json -InputObject $answer.Text).meta.nextCursor
    if ($null -ne $next) { $cursor = '&cursor=' + [Uri]::EscapeDataString($next) }
  } while ($null -ne $next)
}

try {
  if (-not $env:BUDGETD_URL -or -not $env:BUDGETD_KEY) { throw 'Set BUDGETD_URL and BUDGETD_KEY.' }
  if ($Command -eq 'push' -and $Rest.Count -eq 1) {
    if ((Push-File $Rest[0]) -gt 0) { exit 3 }
  } elseif ($Command -eq 'list') {
    Write-Transactions $Rest
  } else {
    throw 'Usage: transactions.ps1 push FILE.ndjson | list [name=value ...]'
  }
} catch {
  [Console]::Error.WriteLine($_.Exception.Message)
  exit 1
}
