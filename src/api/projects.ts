/** The query parameters of the list of projects (Spec 4.1). */

import type { ProjectFilter } from '../operations/projects.ts';
import { parametersOf, type Values } from './parameters.ts';

/** The parameters of the list of projects. */
export const PROJECT_PARAMETERS = parametersOf('ProjectQuery');

/** The filter that they describe. */
export function toProjectFilter({
  updatedSince: updatedSinceMs,
  ...rest
}: Values<typeof PROJECT_PARAMETERS>): ProjectFilter {
  return { ...rest, updatedSinceMs };
}
