import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as readStream } from 'node:stream/consumers';
import { Failure } from '../../core/failures.ts';
import { count } from '../amounts.ts';
import { type Call, type Command, EXIT, readPositionals } from '../command.ts';
import { showDay } from '../instants.ts';
import { nextPageOf, readQuery } from '../listing.ts';
import { findProject } from '../lookup.ts';
import { printNotes, printResult, printTable } from '../output.ts';
import { cleanText } from '../text-width.ts';

/** `budgetd projects import`. */
export const importProjects: Command = {
  usage: 'projects import FILE.json',
  summary: 'creates projects and their lines or, by name, updates them',
  details: `FILE.json holds a project or a list of them; - is standard input. All of it is
taken, or nothing.

 { "name": "Youth work 2026", "startDate": "2026-01-01",
   "endDate": "2026-12-31", "budgetMode": "monthly",
   "funder": { "name": "The Lottery", "reference": "YW-26" },
   "budgetLines": [ { "code": "RENT", "name": "Rent", "accountCodes": ["7100"],
                      "budget": { "2026-01": 1200, "2026-02": 1200 } } ] }

budgetMode total takes one amount for each line instead: "budget": 20000. Also:
description, currency, parentProject (a name), and a line's category.`,
  options: {},
  async run(call) {
    const [file] = readPositionals(call, 'FILE.json');
    const { service, organisation } = await call.openOrganisation();
    const name = file === '-' ? 'standard input' : file;
    const document = parseJson(name, await readInput(call, file));
    const imported = importDocument(call, name, () =>
      service.projects.import(organisation.id, document),
    );
    printResult(call, imported, () => {
      printTable(call.io, {
        columns: [
          { title: 'Id' },
          { title: 'Project', min: 12 },
          { title: 'Budget lines', align: 'right' },
        ],
        entries: imported.map(({ projectId, name, budgetLines }) => {
          return [projectId, name, String(budgetLines.length)];
        }),
      });
    });
    return EXIT.done;
  },
};

async function readInput({ io }: Call, file: string): Promise<string> {
  if (file === '-') return readStream(io.stdin);
  const path = resolve(io.cwd, file);
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // Node leaves the path out where it is a folder.
    throw Object.assign(error, { path });
  });
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Failure('invalid_input', `${file} is not JSON: ${problem}.`);
  }
}

/** Says everything that is wrong with a file before the one line that says that it is. */
function importDocument<Result>({ io }: Call, file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, details, message } = error;
    if (details.length < 2) throw new Failure(code, `${file}: ${message}`);
    for (const { field, message: problem } of details) {
      printNotes(io, `${file}: ${cleanText(`${field ?? 'the file'}: ${problem}`)}`);
    }
    const problems = count(details.length, 'problem');
    throw new Failure(code, `Nothing was imported: ${file} has the ${problems} above.`);
  }
}

/** `budgetd projects list`. */
export const listProjects: Command = {
  usage: 'projects list [--parent-project-id P] [--updated-since T] [--limit N] [--cursor C]',
  summary: 'lists the projects',
  details: `
  --parent-project-id P   children of this project, by id or name
  --updated-since T       changed since a date-time, 2026-01-31T12:00:00Z
  --limit N               1 to 1000 on a page, 100 unless given
  --cursor C              the next page, as the last one said`,
  options: {
    'parent-project-id': { type: 'string' },
    'updated-since': { type: 'string' },
    limit: { type: 'string' },
    cursor: { type: 'string' },
  },
  async run(call) {
    readPositionals(call);
    const { service, organisation } = await call.openOrganisation();
    const query = readQuery(call, listProjects, (parameter, text) =>
      parameter === 'parentProjectId' ? findProject(service, organisation, text).id : text,
    );
    const list = query.ask(() => service.projects.list(organisation.id, query.parameters));
    printResult(call, list, () => {
      if (list.data.length === 0) {
        printNotes(call.io, 'No projects: `budgetd projects import FILE.json` brings some in.');
        return;
      }
      printTable(call.io, {
        columns: [
          { title: 'Id' },
          { title: 'Project', min: 20 },
          { title: 'From' },
          { title: 'To' },
          { title: 'Budget', rank: 1 },
          { title: 'Funder', min: 12, rank: 3 },
          { title: 'Reference', min: 9, rank: 4 },
          { title: 'Part of', rank: 2 },
        ],
        entries: list.data.map((project) => [
          project.id,
          project.name,
          showDay(project.startDate),
          showDay(project.endDate),
          project.budgetMode,
          project.funder?.name ?? '',
          project.funder?.reference ?? '',
          project.parentProjectId ?? '',
        ]),
      });
      printNotes(call.io, ...nextPageOf(call, 'projects list', list));
    });
    return EXIT.done;
  },
};
