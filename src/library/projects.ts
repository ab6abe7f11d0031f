/** Projects in the library: importing a project file, and the reads of the interface. */

import type {
  AllocationList,
  ProjectDocument,
  ProjectList,
  ReportDocument,
} from '../api/contract.ts';
import {
  allocationItem,
  type ImportedProject,
  importedDocument,
  listDocument,
  projectItem,
  reportDocument,
} from '../api/documents.ts';
import { toFilter } from '../api/filters.ts';
import { PARAMETERS, readQuery } from '../api/parameters.ts';
import { accessTo } from '../operations/access.ts';
import { listAllocations } from '../operations/allocations.ts';
import type { QueryInput } from '../operations/input.ts';
import { getProject, getReport, importProjects, listProjects } from '../operations/projects.ts';
import type { LibraryContext } from './context.ts';

/** What can be done with projects. */
export type Projects = ReturnType<typeof buildProjects>;

/** Builds the calls for projects. */
export function buildProjects(context: LibraryContext) {
  return {
    /**
     * Imports all projects of a project file (README) or none. A project with the name of an
     * existing one updates it. Refuses with `invalid_input` (the details say where) or `conflict`.
     */
    import(organisationId: string, document: unknown): ImportedProject[] {
      const access = accessTo(context, organisationId);
      return importProjects(access, document, context.actor()).map(importedDocument);
    },
    /** `GET /api/v1/projects`. */
    list(organisationId: string, query: QueryInput = {}): ProjectList {
      const access = accessTo(context, organisationId);
      const filter = toFilter(readQuery(PARAMETERS.ProjectQuery, query));
      return listDocument(listProjects(access, filter), projectItem, access.organisation);
    },
    /** `GET /api/v1/projects/{id}`. */
    get(organisationId: string, projectId: string): ProjectDocument {
      const access = accessTo(context, organisationId);
      return { data: projectItem(getProject(access, projectId), access.organisation) };
    },
    /** `GET /api/v1/projects/{id}/report`. */
    report(organisationId: string, projectId: string, query: QueryInput = {}): ReportDocument {
      const access = accessTo(context, organisationId);
      const wanted = readQuery(PARAMETERS.ReportQuery, query);
      return reportDocument(getReport(access, projectId, wanted), access.organisation);
    },
    /** `GET /api/v1/projects/{id}/allocations`. */
    allocations(organisationId: string, projectId: string, query: QueryInput = {}): AllocationList {
      const access = accessTo(context, organisationId);
      const filter = readQuery(PARAMETERS.AllocationQuery, query);
      const listing = listAllocations(access, projectId, filter);
      return listDocument(listing, allocationItem, access.organisation);
    },
  };
}
