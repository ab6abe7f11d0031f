/**
 * Every limit of the service, with its reason, in groups. Each name ends with its unit. Only an
 * embedding program can change some of them.
 */

/** Requests per key in any 60 seconds (Spec 8). */
export const REQUESTS_PER_MINUTE = 120;
/** How long a request counts towards the rate limit (contract 2, step 4). */
export const RATE_WINDOW_MS = 60_000;

/** How long someone stays signed in: without doing anything, and at most. */
export const SESSIONS = {
  idleMinutes: 30,
  hours: 12,
  /** At the same time: a few browsers and machines. A new one ends the oldest. */
  perUser: 10,
  /** Long readings of a user at a time: a tab or two, and one that was left. Others wait. */
  readingsAtOnce: 3,
  /** How often at most a visit is written, so that a page seldom waits for the disk. */
  seenMs: 60_000,
  /** What a browser says it is: enough to recognise it in a list. */
  agentCharacters: 255,
} as const;

/** Wrong passwords during `windowMs`. */
export const SIGN_INS = {
  /** From one network, and for an account from there. */
  perNetwork: 50,
  perUserHere: 10,
  /** For an account from all networks from which its user has not signed in. */
  perUser: 100,
  /** Networks and accounts whose tries are counted: all that can be checked in the window, 5 MB. */
  triesCounted: 10_000,
  /** How often a network or area asked for a check in the window: above that, all are the last. */
  asksCounted: 100,
  windowMs: 15 * 60_000,
  /** Wrong passwords of a user, and refused pages, in the audit log during the window. */
  refusalsLogged: 10,
} as const;

/** Backups that are made by hand: how many are kept, and how long to wait for the next. */
export const HAND_BACKUPS = {
  kept: 3,
  pauseMinutes: 10,
  /** A failed try costs a copy too, but its cause may be gone soon. */
  failedPauseMinutes: 1,
} as const;

/** What forms did, for the next page to say. */
export const OUTCOMES = {
  /** How long a page can say what a form did, and show what it made. */
  keptMs: 10 * 60_000,
  /** Outcomes of all users: about 1 KB each, 20 KB at most. Who has most loses the oldest. */
  kept: 1_000,
} as const;

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

/** Forms of browsers. */
export const FORMS = {
  /** The fields of a form: all cells of the largest project, with some to spare. */
  fields: 25_000,
  /** What is wrong with a form, as its page lists it: more would only repeat the same cause. */
  faults: 20,
  /** A form with a budget, or a box for each account code: twice the size of that many fields. */
  budgetBytes: 2 * 1024 * 1024,
  /** A pasted table: some 20 bytes for each of its cells. */
  tableBytes: 1024 * 1024,
  /** Any other form, or a field: twice the size of the longest note in any script. */
  bytes: 64 * 1024,
  /** A form that anyone may send: a few short fields. */
  openBytes: 16 * 1024,
} as const;

/** Forms with a file, which are pages of a few fields. */
export const UPLOADS = {
  parts: 100,
  /** Files that are arriving at once: of a user, of an organisation, and of all, 400 MiB. */
  perUser: 3,
  perOrganisation: 10,
  all: 20,
  /** The `Retry-After` above these: a file of usual size has arrived by then. */
  retrySeconds: 60,
  /** The header of one part: the names of a field and a file. */
  headerBytes: 4 * 1024,
} as const;

/** Files to import on a page. */
export const IMPORTS = {
  /** About 200,000 rows, which are read in some 10 s. */
  fileBytes: 20 * 1024 * 1024,
  /** How long a file stays between the steps of an import. */
  heldMs: 2 * 60 * 60_000,
  /** Files that stay for a user in an organisation, and for all: ten people at once. */
  perUser: 3,
  held: 30,
  /** The bytes of all files that stay, on the disk of the database: those of ten large ones. */
  bytesHeld: 200 * 1024 * 1024,
} as const;

/** How much of what is wrong is reported: more would only repeat the same cause. */
export const REPORTED = {
  rowErrors: 20,
  rowWarnings: 20,
  parameterErrors: 20,
  /** Codes that several lines claim (contract 17). */
  ambiguousCodes: 100,
} as const;

/** Values of a list parameter (contract 4). */
export const LIST_ITEMS = 100;

/** Lengths in Unicode code points, after trimming (contract 6); ROW_MEMBERS has those of rows. */
export const CHARACTERS = {
  /** Names of organisations, keys, projects, budget lines, funders and the like. */
  name: 255,
  /** The name of a rule, which each of its allocations has. */
  ruleName: 100,
  /** Email addresses: longer ones cannot be sent to. */
  email: 254,
  /** Free text: notes, reasons, project descriptions. */
  note: 2000,
  /** The covering note of a statement: a page. */
  coveringNote: 5000,
  /** Why a statement is withdrawn. */
  withdrawal: 500,
  /** The head of statements, below the name. */
  letterhead: 400,
} as const;

/** Lines of the head of statements: they have room beside the name on paper. */
export const LETTERHEAD_LINES = 4;

/** The size of a project. */
export const PROJECTS = {
  /** Projects below each other: pages add up each with all that are below it. */
  levels: 20,
  /** Codes of a project (contract 17): a few for each finance system. */
  codes: 50,
  /**
   * The size of a project's report: budget lines, and cells (lines times months). A report is built
   * in one step: 30 ms and 1.5 MB for the largest. 300 years of 60 lines took 300 ms.
   */
  lines: 2_000,
  cells: 24_000,
  /** Rows and cells of a pasted table: of the largest project, with sums, headings and notes. */
  pastedRows: 2_500,
  pastedCells: 50_000,
} as const;

/** The list of rules (contract 15): each step of a run tries all of them. */
export const RULE_LIMITS = {
  rules: 500,
  shares: 20,
  /** Transactions that a page tries them on, and then allocates: about a second. */
  previewed: 10_000,
  /** Transactions that a draft tries the rules on, to say how many these would allocate. */
  tried: 1_000,
} as const;

/** Passwords, how long they are and how many are hashed. */
export const PASSWORDS = {
  /** In code points. */
  minCharacters: 8,
  characters: 128,
  /** Passwords hashed at once: each takes 32 MiB and, for about 0.3 s, a core. */
  atOnce: 2,
  /** Passwords that wait for their turn, at most about 20 s; others are refused. */
  waiting: 128,
} as const;

/** A second factor (contract 16). */
export const SECOND_FACTOR = {
  /** Of a code, as every authenticator expects. */
  stepSeconds: 30,
  digits: 6,
  secretBytes: 20,
  recoveryCodes: 10,
  recoveryCharacters: 8,
  /** Without those that look alike. */
  recoveryAlphabet: '23456789abcdefghjkmnpqrstvwxyz',
  /** As many as are left when people are asked to make new ones. */
  fewCodes: 2,
  /** From the right password to the right code. */
  signInMinutes: 10,
  /** From the page with a new secret to the code that proves it. */
  setUpMinutes: 15,
  /** Sign-ins and set-ups that wait for a code. */
  waiting: 10_000,
  /** After which users, keys, plan and backups need the password again. */
  passwordMinutes: 15,
  /** Wrong codes of a user in `windowMs`: 240 a day, each right by chance in 3 of 1,000,000. */
  triesPerUser: 10,
  windowMs: 60 * 60_000,
} as const;

/** Text that is normalized or compared in any case, in UTF-16 units: no field can be longer. */
export const COMPARED_UNITS = 2 * CHARACTERS.note;
/** An amount as someone types it, with signs and blanks around it, in UTF-16 units. */
export const AMOUNT_UNITS = 100;
/** Largest magnitude of an amount: a double holds the exact sum of 9,000 of them. */
export const AMOUNT_MINOR = 999_999_999_999;
/** Items on a page of a list (contract 4). */
export const PAGE_ITEMS = 1000;
export const PAGE_ITEMS_DEFAULT = 100;
/** Budget lines to which a transaction is allocated: its panel shows as many. */
export const ALLOCATED_LINES = 100;
/** Which lists can be sorted by amount: each page of them reads all that match. */
export const SORTED = {
  /** Transactions that an index finds: 20 ms. */
  read: 3_000,
  /** Transactions of a table that is read as it is stored, however many match: 50 ms. */
  stored: 110_000,
} as const;
/** Transactions changed in one act: 500 take 8 to 17 ms, or 28 with three allocations each. */
export const CHANGED_TRANSACTIONS = 500;

/** Work of a list, in entries of an index. */
export const STRETCH = {
  /**
   * Work of one stretch of a list, after which other requests run, in entries of an index: about
   * 3 ms, 8 ms for the longest texts.
   */
  work: 25_000,
  /** Work of the first stretch, which runs as soon as it is asked for: most pages need no other. */
  firstWork: 4_000,
  /** Stretches of one page, which then ends with a cursor: 1,000,000 entries, 0.1 to 0.2 s. */
  perPage: 41,
  /** Stretches of a page of the console: 230,000 entries, or 30,000 records, at most 100 ms. */
  perShownPage: 10,
  /** How long it takes to read a record of a table, in entries: it may be anywhere in the file. */
  recordWork: 8,
  /** Text that takes at most as long to search as an entry, in UTF-16 code units. */
  searchedUnits: 10,
  /** Records between two checks of how much text was searched: 4 ms for the longest texts. */
  searchedRecords: 100,
} as const;

/** What is counted and added up. */
export const COUNTED = {
  /** Entries of an index whose transactions are added up at once: 2 ms, for long texts too. */
  atOnce: 2_500,
  searchedAtOnce: 200,
  /** Records that are added up at once as they are stored. */
  storedAtOnce: 500,
  /** What is counted before a page is shown, in entries: about 20 ms. The rest comes after it. */
  work: 25_000,
  /** Records that are searched as they are stored, before a page is shown: about 40 ms. */
  searched: 60_000,
  /** What figures may take before a page is shown that can do without, in time of the processor. */
  pageMs: 60,
  /** Transactions of a filter that are changed at once. */
  changed: 10_000,
} as const;

/** Details of audit entries read for one page, in UTF-16 code units: about 10 ms. */
export const AUDIT_UNITS = 1_000_000;

/** First and last year of a calendar date (contract 1). */
export const YEARS = { first: 1900, last: 2199 } as const;

/** Keys, and when they are used. */
export const API_KEYS = {
  /**
   * Keys that a process remembers between two commits, with their organisations: about 1 MB, and
   * with their last answers, of at most 4 KB or 8 KB each, up to 9 MB.
   */
  remembered: 1_000,
  /** A key's last use is written at most this often (contract 7). */
  usedIntervalMs: 60_000,
} as const;

/** Where a form leads: half of the head of a request, so that a browser can ask for that. */
export const TARGET_CHARACTERS = 8 * 1024;

/** How long a one-time link works. */
export const LINK_MINUTES = 30;
/** How long the link of an invitation works: someone has to carry it there, over a weekend too. */
export const INVITATION_DAYS = 3;
/** The `Retry-After` when the database is busy or the service is shutting down. */
export const UNAVAILABLE_RETRY_SECONDS = 2;
