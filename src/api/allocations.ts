/** The query parameters of a project's allocations (Spec 4.4). */

import { parametersOf } from './parameters.ts';

/** The parameters of the list of allocations: their values are its filter. */
export const ALLOCATION_PARAMETERS = parametersOf('AllocationQuery');
