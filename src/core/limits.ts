/**
 * Every limit of the service, by name, with its unit last and its reason. Nothing here is
 * configurable at run time unless the embedding program passes another value.
 */

/** Requests of one key in any 60 seconds (Spec 8). */
export const REQUESTS_PER_MINUTE = 120;
/** The window in which a token of the rate limit comes back (contract 2, step 4). */
export const RATE_WINDOW_MS = 60_000;

/** Rows of one push (Spec 4.6). */
export const PUSH_ROWS = 500;
/** The body of a push: 500 rows at their longest in ASCII fit twice over. */
export const BODY_BYTES = 4 * 1024 * 1024;
/** How much of a refused body is read and thrown away so that the client reads the answer. */
export const DISCARDED_BODY_BYTES = 16 * 1024 * 1024;
/** Brackets open at once in a body: no push needs 4, and a parser's stack ends somewhere. */
export const JSON_DEPTH = 32;
/** Values in a body, 200 for each row: a body of nothing else would take a fifth of a second. */
export const JSON_VALUES = 100_000;

/** Errors and warnings reported for one row: more would only repeat the same cause. */
export const ROW_ERRORS = 20;
export const ROW_WARNINGS = 20;
/** The same for the parameters of one query. */
export const PARAMETER_ERRORS = 20;
/** Values of a parameter that takes a list (contract 4). */
export const LIST_ITEMS = 100;

/** Lengths in Unicode code points, after trimming (contract 6). */
export const EXTERNAL_ID_CHARACTERS = 255;
export const DESCRIPTION_CHARACTERS = 1000;
export const CONTACT_CHARACTERS = 255;
export const ACCOUNT_CODE_CHARACTERS = 64;
/** Names of organisations, keys, projects, budget lines, funders and the like. */
export const NAME_CHARACTERS = 255;
/** Free text a person writes: notes, reasons, project descriptions. */
export const NOTE_CHARACTERS = 2000;

/** Largest magnitude of an amount: 9,000 of the largest still add up exactly in a double. */
export const AMOUNT_MINOR = 999_999_999_999;

/** Items on a page of a list (contract 4). */
export const PAGE_ITEMS = 1000;
export const PAGE_ITEMS_DEFAULT = 100;

/** Records looked at for one page, whatever was asked for: some 10 ms of a small machine. */
export const SCANNED_RECORDS = 10_000;
/**
 * Text that `q` compares for one page, in UTF-16 code units: 10,000 usual records, and some 25 ms
 * where none of it is ASCII, which takes up to 20 times as long.
 */
export const SEARCHED_UNITS = 700_000;
/** Records of the longest texts between two looks at how much was compared: 15 ms at worst. */
export const SEARCHED_RECORDS = 250;

/**
 * How large a project's report can be: its budget lines, and its cells (lines times months). It is
 * built in one go, 30 ms and 1.5 MB for the largest; 300 years of 60 lines took 300 ms.
 */
export const PROJECT_LINES = 2_000;
export const PROJECT_CELLS = 24_000;

/** First and last year of a calendar date (contract 1). */
export const FIRST_YEAR = 1900;
export const LAST_YEAR = 2199;

/** A key's last use is written at most this often (contract 7). */
export const LAST_USED_INTERVAL_MS = 60_000;

/** What a client is told to wait when the database is busy or the service shuts down. */
export const UNAVAILABLE_RETRY_SECONDS = 2;
