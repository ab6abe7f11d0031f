/** The query parameters of a project's report (Spec 4.3). */

import { parametersOf } from './parameters.ts';

/** The parameters of a report. */
export const REPORT_PARAMETERS = parametersOf('ReportQuery');
