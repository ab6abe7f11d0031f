/** How a service is created, and where it listens. */

import type { LogEvent } from './http/refusals.ts';
import type { RecordedRequest } from './http/request-log.ts';
import type { BackupPlan } from './upkeep/nightly.ts';
import type { Notice } from './upkeep/upkeep.ts';

/** How to create a service. */
export interface ServiceOptions {
  /** A database file, or `:memory:`. */
  readonly database: string;
  /** Whether to create a missing file; false by default. */
  readonly create?: boolean;
  /** The wall clock; the system clock by default. */
  readonly clock?: () => Date;
  /** A monotonic clock in milliseconds, used only for the rate limit. */
  readonly monotonicMs?: () => number;
  /** Requests per key in any 60 seconds; 120 by default, false for no limit. */
  readonly rateLimit?: number | false;
  /**
   * Whether to allow only one exclusive service per file, as `serve` does: a second one throws
   * `conflict`. Other services, such as the commands, can use the file at the same time. It looks
   * after its file: see `health`. False by default.
   */
  readonly exclusive?: boolean;
  /**
   * An exclusive service refuses to write with `storage_full` while its disk has less free bytes;
   * only signing in and out is still written. 0 by default.
   */
  readonly minFreeDisk?: number;
  /** The nightly backups of an exclusive service; none by default. */
  readonly backups?: BackupPlan;
  /** Receives what an exclusive service finds out about its file, disk and backups. */
  readonly notify?: (notice: Notice) => void;
  /** The actor in the audit log for changes made without a key; `library` by default. */
  readonly actor?: string;
  /** How long a statement waits for another process, and blocks the event loop. */
  readonly busyTimeoutMs?: number;
  /**
   * Addresses and networks of proxies in front of the service, such as `10.0.0.5` or `10.0.0.0/8`.
   * None by default. `listen` throws `invalid_input` for anything else.
   */
  readonly trustedProxies?: readonly string[];
  /** The address that people use, if it is not the one at which the service listens. */
  readonly publicUrl?: string | undefined;
  /** Keeps the last 1,000 requests with their bodies in `requests`; false by default. */
  readonly recordRequests?: boolean;
  /**
   * Opens the file for this process alone, which works even on a full disk; false by default. An
   * exclusive service shares it once there is room.
   */
  readonly unshared?: boolean | undefined;
  /** Hears of the upgrade of an older database, a sentence at a time. */
  readonly onUpgrade?: (message: string) => void;
  /**
   * Whether requests and the audit log record the addresses of clients, which are personal data;
   * true by default.
   */
  readonly logAddresses?: boolean;
  /** Called once for every request: when it is answered, or its client disconnects before that. */
  readonly onRequest?: ((request: RecordedRequest) => void) | undefined;
  /** Receives unexpected errors; by default they are not logged. */
  readonly log?: (event: LogEvent) => void;
}

/** Where to listen. */
export interface ListenOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** 127.0.0.1 by default. */
  readonly host?: string;
}
