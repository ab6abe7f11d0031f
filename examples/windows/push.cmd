@echo off
rem Pushes every file that a finance system left in a folder. For Task Scheduler: no window, one log
rem file, and the exit code of "budgetd push" as the result of the task:
rem
rem   0 done                       4 key, plan or scope refused
rem   1 failed                     5 every row rejected
rem   2 wrong usage                6 gave up waiting for the rate limit
rem   3 some rows rejected         9 this file has a wrong setting
rem
rem It is safe to run again after any of them: rows are updated, never duplicated.
setlocal

rem Set these five.
set "URL=https://budget.example.org"
set "INBOX=C:\ProgramData\budgetd\inbox"
set "MAP=C:\ProgramData\budgetd\columns.json"
set "KEYFILE=C:\ProgramData\budgetd\push.key"
set "LOG=C:\ProgramData\budgetd\push.log"

if not exist "%INBOX%\" >>"%LOG%" echo There is no folder %INBOX%. Set INBOX in %~f0.& exit /b 9
if not exist "%KEYFILE%" >>"%LOG%" echo There is no file %KEYFILE%. Set KEYFILE in %~f0.& exit /b 9

rem Above 5 MB the log starts again; the old one is kept as push.log.old.
if exist "%LOG%" for %%F in ("%LOG%") do if %%~zF GTR 5000000 move /y "%LOG%" "%LOG%.old" >nul

rem The redirections come first, because a digit right before one would name a handle.
>>"%LOG%" echo ---- %DATE% %TIME% start
call budgetd push --inbox "%INBOX%" --map "%MAP%" --url "%URL%" --key-file "%KEYFILE%" --quiet >>"%LOG%" 2>&1
set "CODE=%ERRORLEVEL%"
>>"%LOG%" echo ---- %DATE% %TIME% exit code %CODE%
exit /b %CODE%
