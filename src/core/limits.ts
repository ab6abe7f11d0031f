/**
 * Every limit of the service, with its reason. Each name ends with its unit. Only an embedding
 * program can change some of them.
 */

/** Requests per key in any 60 seconds (Spec 8). */
export const REQUESTS_PER_MINUTE = 120;
/** How long a request counts towards the rate limit (contract 2, step 4). */
export const RATE_WINDOW_MS = 60_000;

/** How long someone stays signed in: without doing anything, and at most. */
export const SESSION_IDLE_MINUTES = 30;
export const SESSION_HOURS = 12;
/** Sessions of a user at the same time: a few browsers and machines. A new one ends the oldest. */
export const SESSIONS_PER_USER = 10;
/** Long readings of a user at a time: a tab or two, and one that was left. Others wait. */
export const READINGS_AT_ONCE = 3;
/** How often at most a visit is written, so that a page seldom waits for the disk. */
export const SESSION_SEEN_MS = 60_000;
/** What a browser says it is: enough to recognise it in a list. */
export const AGENT_CHARACTERS = 255;
/** Wrong passwords during SIGN_IN_WINDOW_MS: from one network, and for an account from there. */
export const SIGN_INS_PER_NETWORK = 50;
export const SIGN_INS_PER_ACCOUNT_HERE = 10;
/** Wrong passwords for an account from all networks from which its user has not signed in. */
export const SIGN_INS_PER_ACCOUNT = 100;
/** Networks and accounts whose tries are counted: all that can be checked in the window, 5 MB. */
export const TRIES_COUNTED = 10_000;
/** How often a network or area asked for a check in the window: above that, all are the last. */
export const ASKS_COUNTED = 100;
export const SIGN_IN_WINDOW_MS = 15 * 60_000;
/** Wrong passwords of a user, and refused pages, in the audit log during SIGN_IN_WINDOW_MS. */
export const REFUSALS_LOGGED = 10;
/** Backups that are made by hand: how many are kept, and how long to wait for the next. */
export const HAND_BACKUPS = 3;
export const HAND_BACKUP_PAUSE_MINUTES = 10;

/** How long a page can say what a form did, and show what it made. */
export const OUTCOME_MS = 10 * 60_000;
/** Forms whose outcomes are kept, of all users: about 1 KB each. Who has most loses the oldest. */
export const OUTCOMES = 1_000;

/** Rows of one push (Spec 4.6). */
export const PUSH_ROWS = 500;
/** The body of a push: twice the size of 500 of the longest rows in ASCII. */
export const BODY_BYTES = 4 * 1024 * 1024;
/** How much of a refused body is read and discarded, so that the client reads the answer. */
export const DISCARDED_BODY_BYTES = 16 * 1024 * 1024;
/** Nesting of a body. A push needs fewer than 4 levels, and a parser's stack is finite. */
export const JSON_DEPTH = 32;
/** Values in a body, 200 per row. A body of 4 MiB of tiny values would take 0.2 s to parse. */
export const JSON_VALUES = 100_000;

/** The fields of a form: all cells of the largest project, with some to spare. */
export const FORM_FIELDS = 25_000;
/** What is wrong with a form, as its page lists it: more would only repeat the same cause. */
export const FORM_FAULTS = 50;
/** A form with a budget, or a box for each account code: twice the size of that many fields. */
export const BUDGET_FORM_BYTES = 2 * 1024 * 1024;
/** Any other form, or a field: twice the size of the longest note in any script. */
export const FORM_BYTES = 64 * 1024;
/** A form that anyone may send: a few short fields. */
export const OPEN_FORM_BYTES = 16 * 1024;
/** Parts of a form with a file, which is a page of a few fields. */
export const UPLOAD_PARTS = 100;
/** Files that are arriving at once: of a user, of an organisation, and of all, 400 MiB. */
export const UPLOADS_PER_USER = 3;
export const UPLOADS_PER_ORGANISATION = 10;
export const UPLOADS = 20;
/** The `Retry-After` above these: a file of usual size has arrived by then. */
export const UPLOAD_RETRY_SECONDS = 60;
/** A file to import on a page: about 200,000 rows, which are read in some 10 s. */
export const IMPORT_FILE_BYTES = 20 * 1024 * 1024;
/** How long a file stays between the steps of an import. */
export const IMPORT_HELD_MS = 2 * 60 * 60_000;
/** Files that stay for a user in an organisation, and for all: ten people at once. */
export const IMPORTS_PER_USER = 3;
export const IMPORTS_HELD = 30;
/** The bytes of all files that stay, on the disk of the database: those of ten large ones. */
export const IMPORT_BYTES_HELD = 200 * 1024 * 1024;
/** The header of one part: the names of a field and a file. */
export const PART_HEADER_BYTES = 4 * 1024;

/** Errors and warnings reported per row: more would only repeat the same cause. */
export const ERRORS_PER_ROW = 20;
export const WARNINGS_PER_ROW = 20;
/** Errors reported per query. */
export const PARAMETER_ERRORS = 20;
/** Values of a list parameter (contract 4). */
export const LIST_ITEMS = 100;

/** Lengths in Unicode code points, after trimming (contract 6). */
export const EXTERNAL_ID_CHARACTERS = 255;
export const DESCRIPTION_CHARACTERS = 1000;
export const CONTACT_CHARACTERS = 255;
export const REFERENCE_CHARACTERS = 255;
export const BANK_ACCOUNT_CHARACTERS = 64;
export const PROJECT_CODE_CHARACTERS = 64;
export const ACCOUNT_CODE_CHARACTERS = 64;
/** Codes of a project (contract 17): a few for each finance system. */
export const PROJECT_CODES = 50;
/** Ambiguous codes that are named (contract 17): more would only repeat the same cause. */
export const AMBIGUOUS_CODES = 100;
/** Names of organisations, keys, projects, budget lines, funders and the like. */
export const NAME_CHARACTERS = 255;
/** E-mail addresses: longer ones cannot be sent to. */
export const EMAIL_CHARACTERS = 254;
/** Passwords, in code points. */
export const PASSWORD_MIN_CHARACTERS = 8;
export const PASSWORD_CHARACTERS = 128;
/** Free text: notes, reasons, project descriptions. */
export const NOTE_CHARACTERS = 2000;
/** Text that is normalized or compared in any case, in UTF-16 units: no field can be longer. */
export const COMPARED_UNITS = 2 * NOTE_CHARACTERS;

/** An amount as someone types it, with signs and blanks around it, in UTF-16 units. */
export const AMOUNT_UNITS = 100;
/** Largest magnitude of an amount: a double holds the exact sum of 9,000 of them. */
export const AMOUNT_MINOR = 999_999_999_999;

/** Items on a page of a list (contract 4). */
export const PAGE_ITEMS = 1000;
export const PAGE_ITEMS_DEFAULT = 100;

/** Transactions changed in one act: 500 take 8 to 17 ms, or 28 with three allocations each. */
export const CHANGED_TRANSACTIONS = 500;

/**
 * Work of one stretch of a list, after which other requests run, in entries of an index: about
 * 3 ms, 8 ms for the longest texts.
 */
export const STRETCH_WORK = 25_000;
/** Work of the first stretch, which runs as soon as it is asked for: most pages need no other. */
export const FIRST_STRETCH_WORK = 4_000;
/** Stretches of one page, which then ends with a cursor: 1,000,000 entries, 0.1 to 0.2 s. */
export const PAGE_STRETCHES = 41;
/** How long it takes to read a record of a table, in entries. */
export const RECORD_WORK = 4;
/** Text that takes at most as long to search as an entry, in UTF-16 code units. */
export const SEARCHED_UNITS = 10;
/** Records between two checks of how much text was searched: 4 ms for the longest texts. */
export const SEARCHED_RECORDS = 100;

/** Entries of an index whose transactions are added up at once: 2 ms, for long texts too. */
export const COUNTED_AT_ONCE = 2_500;
export const SEARCHED_AT_ONCE = 200;
/** What is counted before a page is shown, in entries: about 20 ms. The rest comes after it. */
export const COUNTED_WORK = 25_000;
/** Transactions of a filter that are changed at once. */
export const COUNTED_TRANSACTIONS = 10_000;

/** Details of audit entries read for one page, in UTF-16 code units: about 10 ms. */
export const AUDIT_UNITS = 1_000_000;

/**
 * The size of a project's report: budget lines, and cells (lines times months). A report is built
 * in one step: 30 ms and 1.5 MB for the largest. 300 years of 60 lines took 300 ms.
 */
export const PROJECT_LINES = 2_000;
export const PROJECT_CELLS = 24_000;
/** Cells of a pasted table: of the largest project, with sums, headings and notes. */
export const PASTED_CELLS = 50_000;

/** First and last year of a calendar date (contract 1). */
export const FIRST_YEAR = 1900;
export const LAST_YEAR = 2199;

/**
 * Keys that a process remembers between two commits, with their organisations: about 1 MB, and with
 * their last answers, of at most 4 KB or 8 KB each, up to 9 MB.
 */
export const REMEMBERED_KEYS = 1_000;
/** A key's last use is written at most this often (contract 7). */
export const LAST_USED_INTERVAL_MS = 60_000;

/** Passwords hashed at once: each takes 32 MiB and, for about 0.3 s, a core. */
export const PASSWORDS_AT_ONCE = 2;
/** Passwords that wait for their turn, at most about 20 s; others are refused. */
export const PASSWORDS_WAITING = 128;
/** How long a one-time link works. */
export const LINK_MINUTES = 30;

/** The `Retry-After` when the database is busy or the service is shutting down. */
export const UNAVAILABLE_RETRY_SECONDS = 2;
