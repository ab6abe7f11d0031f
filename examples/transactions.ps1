<#
.SYNOPSIS
Pushes and lists transactions, with Windows PowerShell 5.1 or PowerShell 7.

.DESCRIPTION
  $env:BUDGETD_URL = 'http://127.0.0.1:8080'; $env:BUDGETD_KEY = 'bdg_live_...'
  .\transactions.ps1 push rows.ndjson                one JSON row per line
  .\transactions.ps1 list status=unallocated q=rent  prints one page of JSON per line
A value with a comma needs quotes: 'status=unallocated,needs_review'.

Amounts: money out is positive, money in is negative.

Exit: 0 done, 1 failed, 3 some rows were rejected. Rejected rows and warnings are printed. You can
always push a file again: a row is found by its externalId and updated, never duplicated.

It uses .NET's HttpClient, which is the same in both. Invoke-RestMethod differs: 5.1 sends text as
ISO-8859-1, hides the headers of a refusal, and adds an Expect header.
#>
param(
  [Parameter(Position = 0)] [string] $Command = '',
  [Parameter(Position = 1, ValueFromRemainingArguments = $true)] [string[]] $Rest = @()
)

$ErrorActionPreference = 'Stop'
Set-StrictMode -Version 2
Add-Type -AssemblyName System.Net.Http

$BatchRows = 500
$Retries = 6
$Retried = @(408, 429, 500, 502, 503, 504)
$LongestWaitSeconds = 30
$Counts = [ordered] @{ created = 0; updated = 0; unchanged = 0; rejected = 0; warnings = 0 }
$Utf8 = [System.Text.UTF8Encoding]::new($false)
# Throws on other encodings, instead of writing question marks.
$StrictUtf8 = [System.Text.UTF8Encoding]::new($false, $true)

if ($PSVersionTable.PSVersion.Major -lt 6) {
  # Older versions of Windows do not offer TLS 1.2 by default; 0 is the setting of the system.
  $offered = [System.Net.ServicePointManager]::SecurityProtocol
  if ([int] $offered -ne 0) {
    $tls12 = [System.Net.SecurityProtocolType]::Tls12
    [System.Net.ServicePointManager]::SecurityProtocol = $offered -bor $tls12
  }
}

$handler = [System.Net.Http.HttpClientHandler]::new()
# Following a redirect would turn a push into a read.
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
    # Bytes in UTF-8, because PowerShell would choose another encoding for text.
    $bytes = $Utf8.GetBytes($Json)
    $request.Content = [System.Net.Http.ByteArrayContent]::new($bytes)
    $type = [System.Net.Http.Headers.MediaTypeHeaderValue]::Parse('application/json')
    $request.Content.Headers.ContentType = $type
  }
  return $request
}

# Sends a request and returns the status and the text of the answer. Without an answer, or with one
# of $Retried, it waits as long as Retry-After says, else twice as long each time, and tries again.
function Get-Answer([string] $Path, [string] $Json) {
  for ($attempt = 0; ; $attempt++) {
    $waitSeconds = [Math]::Min([Math]::Pow(2, $attempt), $LongestWaitSeconds)
    try {
      $request = New-Request $Path $Json
      $response = $client.SendAsync($request).GetAwaiter().GetResult()
      $bytes = $response.Content.ReadAsByteArrayAsync().GetAwaiter().GetResult()
      $status = [int] $response.StatusCode
      if ($Retried -notcontains $status) {
        return @{ Status = $status; Text = $Utf8.GetString($bytes) }
      }
      $reason = "answer $status"
      $after = $response.Headers.RetryAfter
      if ($null -ne $after -and $null -ne $after.Delta) {
        $waitSeconds = $after.Delta.TotalSeconds
      }
    } catch {
      # The connection was refused or cut, or the answer came too late.
      $reason = $_.Exception.GetBaseException().Message
    }
    if ($attempt -eq $Retries) { throw "Gave up after $Retries retries. The last failure: $reason" }
    [Console]::Error.WriteLine("${reason}: retrying in $waitSeconds s")
    Start-Sleep -Milliseconds ([int] (1000 * $waitSeconds))
  }
}

# Pushes one batch of lines, prints rejected rows and warnings, and adds to $Counts.
function Send-Batch([string[]] $Lines, [int] $Sent) {
  $answer = Get-Answer '/api/v1/transactions' ('{"rows":[' + ($Lines -join ',') + ']}')
  # A 422 has results too: every row of the batch was rejected.
  if (@(200, 422) -notcontains $answer.Status) { throw "Answer $($answer.Status): $($answer.Text)" }
  $document = ConvertFrom-Json -InputObject $answer.Text
  $results = @($document.data)
  if ($results.Count -ne $Lines.Count) { throw "$($results.Count) results: is this budgetd?" }
  foreach ($result in $results) {
    if ($result.status -eq 'rejected') {
      $kind, $issues = 'rejected', $result.errors
    } else {
      $kind, $issues = 'warning', $result.warnings
    }
    foreach ($issue in $issues) {
      $where = "row $($Sent + $result.index + 1) ${kind}: $($result.externalId): $($issue.field)"
      [Console]::Out.WriteLine("${where}: $($issue.message) [$($issue.code)]")
    }
  }
  foreach ($name in @($Counts.Keys)) { $Counts[$name] += $document.meta.$name }
  $words = foreach ($name in $Counts.Keys) { "$($Counts[$name]) $name" }
  [Console]::Error.WriteLine("$($Sent + $Lines.Count) rows: $($words -join ', ')")
}

function Push-File([string] $File) {
  $path = (Resolve-Path -LiteralPath $File).ProviderPath
  $batch = [System.Collections.Generic.List[string]]::new()
  $sent = 0
  foreach ($line in [System.IO.File]::ReadLines($path, $StrictUtf8)) {
    if ($line.Trim() -eq '') { continue }
    $batch.Add($line)
    if ($batch.Count -lt $BatchRows) { continue }
    Send-Batch $batch.ToArray() $sent
    $sent += $batch.Count
    $batch.Clear()
  }
  if ($batch.Count -gt 0) {
    Send-Batch $batch.ToArray() $sent
  } elseif ($sent -eq 0) {
    [Console]::Error.WriteLine('No rows: nothing to push.')
  }
}

function Write-Transactions([string[]] $Filters) {
  $pairs = @($Filters)
  if (-not ($Filters -match '^limit=')) { $pairs += 'limit=1000' }
  $query = foreach ($pair in $pairs) {
    $name, $value = $pair -split '=', 2
    [Uri]::EscapeDataString($name) + '=' + [Uri]::EscapeDataString($value)
  }
  $target = '/api/v1/transactions?' + ($query -join '&')
  $cursor = ''
  do {
    $answer = Get-Answer "$target$cursor" ''
    if ($answer.Status -ne 200) { throw "Answer $($answer.Status): $($answer.Text)" }
    # Written as received: parsing and formatting JSON would change dates and numbers.
    [Console]::Out.WriteLine($answer.Text)
    $next = (ConvertFrom-Json -InputObject $answer.Text).meta.nextCursor
    if ($null -ne $next) { $cursor = '&cursor=' + [Uri]::EscapeDataString($next) }
  } while ($null -ne $next)
}

try {
  if (-not $env:BUDGETD_URL -or -not $env:BUDGETD_KEY) { throw 'Set BUDGETD_URL and BUDGETD_KEY.' }
  if ($Command -eq 'push' -and $Rest.Count -eq 1) {
    Push-File $Rest[0]
    if ($Counts.rejected -gt 0) { exit 3 }
  } elseif ($Command -eq 'list') {
    Write-Transactions $Rest
  } else {
    throw 'Usage: transactions.ps1 push FILE.ndjson | list [name=value ...]'
  }
} catch {
  [Console]::Error.WriteLine($_.Exception.Message)
  exit 1
}
