// Pushes and lists transactions with .NET's HttpClient and System.Text.Json (.NET 8 or later).
//
//   set BUDGETD_URL=http://127.0.0.1:8080
//   set BUDGETD_KEY=bdg_live_...
//   dotnet run -- push rows.ndjson                one JSON row per line
//   dotnet run -- list status=unallocated q=rent  prints one transaction per line
//
// Amounts: money out is positive, money in is negative.
//
// Exit: 0 done, 1 failed, 3 some rows were rejected. Rejected rows and warnings are printed. You can
// always push a file again: a row is found by its externalId and updated, never duplicated.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;

public static class Program
{
    const int BatchRows = 500;
    const int Retries = 6;
    const int LongestWaitSeconds = 30;
    static readonly int[] Retried = { 408, 429, 500, 502, 503, 504 };
    static readonly string[] Counted = { "created", "updated", "unchanged", "rejected", "warnings" };
    // Throws on other encodings, instead of writing question marks.
    static readonly Encoding StrictUtf8 = new UTF8Encoding(false, true);

    // Following a redirect would turn a push into a read.
    static readonly HttpClient Http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false })
    {
        Timeout = TimeSpan.FromSeconds(60),
    };

    public static async Task<int> Main(string[] args)
    {
        Console.OutputEncoding = new UTF8Encoding(false);
        try
        {
            if (Setting("BUDGETD_URL") == "" || Setting("BUDGETD_KEY") == "")
            {
                throw new InvalidOperationException("Set BUDGETD_URL and BUDGETD_KEY.");
            }
            if (args.Length == 2 && args[0] == "push") return await Push(args[1]) > 0 ? 3 : 0;
            if (args.Length >= 1 && args[0] == "list")
            {
                await List(args.Skip(1).ToList());
                return 0;
            }
            throw new InvalidOperationException("Usage: push FILE.ndjson | list [name=value ...]");
        }
        catch (Exception error)
        {
            Console.Error.WriteLine(error.Message);
            return 1;
        }
    }

    static string Setting(string name)
    {
        return Environment.GetEnvironmentVariable(name) ?? "";
    }

    // An answer: its status and its text.
    sealed class Answer
    {
        public int Status;
        public string Text = "";
    }

    // Sends a request. Without an answer, or with one of Retried, waits as long as Retry-After says,
    // else twice as long each time, and tries again.
    static async Task<Answer> Ask(string target, string json = "")
    {
        for (int attempt = 0; ; attempt++)
        {
            TimeSpan wait = TimeSpan.FromSeconds(Math.Min(1 << attempt, LongestWaitSeconds));
            string reason;
            try
            {
                using (HttpRequestMessage request = NewRequest(target, json))
                using (HttpResponseMessage response = await Http.SendAsync(request))
                {
                    byte[] bytes = await response.Content.ReadAsByteArrayAsync();
                    int status = (int)response.StatusCode;
                    if (!Retried.Contains(status))
                    {
                        return new Answer { Status = status, Text = Encoding.UTF8.GetString(bytes) };
                    }
                    reason = "answer " + status;
                    wait = response.Headers.RetryAfter?.Delta ?? wait;
                }
            }
            // Refused, cut, or too late: HttpClient reports a timeout as a TaskCanceledException.
            catch (Exception error) when (error is HttpRequestException || error is IOException || error is TaskCanceledException)
            {
                reason = error.GetBaseException().Message;
            }
            if (attempt == Retries)
            {
                throw new InvalidOperationException($"Gave up after {Retries} retries. The last failure: {reason}");
            }
            Console.Error.WriteLine($"{reason}: retrying in {wait.TotalSeconds} s");
            await Task.Delay(wait);
        }
    }

    static HttpRequestMessage NewRequest(string target, string json)
    {
        HttpMethod method = json == "" ? HttpMethod.Get : HttpMethod.Post;
        var request = new HttpRequestMessage(method, Setting("BUDGETD_URL").TrimEnd('/') + target);
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", Setting("BUDGETD_KEY"));
        if (json != "") request.Content = new StringContent(json, Encoding.UTF8, "application/json");
        return request;
    }

    // Pushes a file of rows, prints rejected rows and warnings, and returns how many were rejected.
    static async Task<int> Push(string file)
    {
        List<string> rows = File.ReadLines(file, StrictUtf8).Where(line => line.Trim() != "").ToList();
        Dictionary<string, int> counts = Counted.ToDictionary(name => name, name => 0);
        if (rows.Count == 0) Console.Error.WriteLine("No rows: nothing to push.");
        for (int sent = 0; sent < rows.Count; sent += BatchRows)
        {
            List<string> batch = rows.Skip(sent).Take(BatchRows).ToList();
            Answer answer = await Ask("/api/v1/transactions", "{\"rows\":[" + string.Join(",", batch) + "]}");
            // A 422 has results too: every row of the batch was rejected.
            if (answer.Status != 200 && answer.Status != 422) throw Unexpected(answer);
            using (JsonDocument document = JsonDocument.Parse(answer.Text))
            {
                JsonElement results;
                if (!document.RootElement.TryGetProperty("data", out results)) throw Unexpected(answer);
                if (results.GetArrayLength() != batch.Count) throw Unexpected(answer);
                foreach (JsonElement result in results.EnumerateArray()) PrintIssues(result, sent);
                JsonElement meta = document.RootElement.GetProperty("meta");
                foreach (string name in Counted) counts[name] += meta.GetProperty(name).GetInt32();
            }
            string words = string.Join(", ", Counted.Select(name => counts[name] + " " + name));
            Console.Error.WriteLine($"{sent + batch.Count} of {rows.Count} rows: {words}");
        }
        return counts["rejected"];
    }

    static void PrintIssues(JsonElement result, int sent)
    {
        bool isRejected = result.GetProperty("status").GetString() == "rejected";
        string kind = isRejected ? "rejected" : "warning";
        int number = sent + result.GetProperty("index").GetInt32() + 1;
        string row = $"row {number} {kind}: {result.GetProperty("externalId").GetString()}";
        foreach (JsonElement issue in result.GetProperty(isRejected ? "errors" : "warnings").EnumerateArray())
        {
            string field = issue.GetProperty("field").GetString();
            string message = issue.GetProperty("message").GetString();
            Console.WriteLine($"{row}: {field}: {message} [{issue.GetProperty("code").GetString()}]");
        }
    }

    // Prints every transaction that matches the filters, page after page.
    static async Task List(List<string> filters)
    {
        if (!filters.Any(filter => filter.StartsWith("limit="))) filters.Add("limit=1000");
        string target = "/api/v1/transactions?" + string.Join("&", filters.Select(Encode));
        string cursor = "";
        do
        {
            Answer answer = await Ask(target + cursor);
            if (answer.Status != 200) throw Unexpected(answer);
            using (JsonDocument document = JsonDocument.Parse(answer.Text))
            {
                foreach (JsonElement each in document.RootElement.GetProperty("data").EnumerateArray())
                {
                    Console.WriteLine(each.GetRawText());
                }
                string next = document.RootElement.GetProperty("meta").GetProperty("nextCursor").GetString();
                cursor = next == null ? "" : "&" + Encode("cursor=" + next);
            }
        } while (cursor != "");
    }

    static string Encode(string pair)
    {
        int at = pair.IndexOf('=');
        if (at < 0) return Uri.EscapeDataString(pair);
        return Uri.EscapeDataString(pair.Substring(0, at)) + "=" + Uri.EscapeDataString(pair.Substring(at + 1));
    }

    static Exception Unexpected(Answer answer)
    {
        return new InvalidOperationException($"Answer {answer.Status}: {answer.Text}");
    }
}
