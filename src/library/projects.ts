/** Projects: importing a project file, and the interface's reads. */

import { ALLOCATION_PARAMETERS, allocationList } from '../api/allocations.ts';
import type {
  AllocationList,
  ProjectDocument,
  ProjectList,
  ReportDocument,
} from '../api/contract.ts';
import { readParameters } from '../api/parameters.ts';
import { PROJECT_PARAMETERS, projectDocument, projectList } from '../api/projects.ts';
import { REPORT_PARAMETERS, reportDocument } from '../api/reports.ts';
import { formatId } from '../core/ids.ts';
import { readProjectFile } from '../core/project-file.ts';
import { importProjects, type ProjectChange } from '../store/projects.ts';
import { accessTo, type LibraryContext, type QueryInput, toQuery } from './context.ts';

/** One imported project (contract 8). */
export interface ImportedProject {
  readonly projectId: string;
  readonly name: string;
  readonly change: ProjectChange;
  readonly budgetLines: readonly {
    readonly budgetLineId: string;
    readonly code: string | null;
    readonly name: string;
  }[];
}

/** What can be done with projects. */
export function buildProjects(context: LibraryContext) {
  return {
    /**
     * Imports all projects of a document (contract 8) or none. A project with the name of an
     * existing one updates it. Refuses with `invalid_input` (the details say where) or `conflict`.
     */
    import(organisationId: string, document: unknown): ImportedProject[] {
      const { organisation } = accessTo(context, organisationId);
      const drafts = readProjectFile(document, organisation.currency);
      const imported = importProjects(context.db, organisation.id, drafts, context.actor());
      return imported.map(({ id, name, change, lines }) => ({
        projectId: formatId('prj', id),
        name,
        change,
        budgetLines: lines.map((line) => ({
          budgetLineId: formatId('bln', line.id),
          code: line.code,
          name: line.name,
        })),
      }));
    },

    /** `GET /api/v1/projects`. */
    list(organisationId: string, query: QueryInput = {}): ProjectList {
      const access = accessTo(context, organisationId);
      return projectList(access, readParameters(PROJECT_PARAMETERS, toQuery(query)));
    },

    /** `GET /api/v1/projects/{id}`. */
    get(organisationId: string, projectId: string): ProjectDocument {
      return projectDocument(accessTo(context, organisationId), projectId);
    },

    /** `GET /api/v1/projects/{id}/report`. */
    report(organisationId: string, projectId: string, query: QueryInput = {}): ReportDocument {
      const access = accessTo(context, organisationId);
      return reportDocument(access, projectId, readParameters(REPORT_PARAMETERS, toQuery(query)));
    },

    /** `GET /api/v1/projects/{id}/allocations`. */
    allocations(organisationId: string, projectId: string, query: QueryInput = {}): AllocationList {
      const access = accessTo(context, organisationId);
      return allocationList(
        access,
        projectId,
        readParameters(ALLOCATION_PARAMETERS, toQuery(query)),
      );
    },
  };
}
