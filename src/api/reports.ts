/** The query parameters of a project's report (Spec 4.3). */

import { GRANULARITIES } from '../core/calendar.ts';
import { choice } from './parameters.ts';

/** The parameters of a report. */
export const REPORT_PARAMETERS = { granularity: choice(GRANULARITIES) };
