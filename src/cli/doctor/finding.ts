/** What `doctor` finds: a code, what is wrong, and the command that corrects it. */

/** Every code, in the order of the output: first what is serious. */
export const FINDING_CODES = {
  damaged_records: 'serious',
  two_services: 'serious',
  clock_behind: 'serious',
  disk_full: 'serious',
  readable_by_others: 'serious',
  writable_by_others: 'serious',
  metrics_address: 'serious',
  wrong_settings: 'serious',
  unreadable: 'serious',
  second_factor_key_missing: 'serious',
  /** A warning until the database is two days old. */
  no_backup: 'serious',
  disk_low: 'warning',
  wal_large: 'warning',
  key_expires: 'warning',
  key_unused: 'warning',
  no_owner: 'warning',
  user_unused: 'warning',
  income_as_expense: 'warning',
  rule_never_fits: 'warning',
  rule_project_ended: 'warning',
  rule_hidden: 'warning',
  no_second_factor: 'warning',
  before_restore: 'warning',
  foreign_tables: 'warning',
  foreign_entry: 'warning',
  unfinished_copy: 'warning',
  open_to_network: 'warning',
  public_url_http: 'warning',
  no_public_url: 'warning',
  no_trusted_proxy: 'warning',
  metrics_open: 'warning',
  setting_unused: 'warning',
  unknown_setting: 'warning',
} as const;

/** One of {@link FINDING_CODES}. */
type FindingCode = keyof typeof FINDING_CODES;

/** One thing to correct. */
export interface DoctorFinding {
  readonly level: (typeof FINDING_CODES)[FindingCode];
  readonly code: FindingCode;
  readonly message: string;
  /** A command, or what to do where no command can. */
  readonly fix: string;
}

export function finding(code: FindingCode, message: string, fix: string): DoctorFinding {
  return { level: FINDING_CODES[code], code, message, fix };
}
