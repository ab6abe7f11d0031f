import { resolve } from 'node:path';
import { count, groupThousands } from '../../core/counts.ts';
import { consistently } from '../../operations/access.ts';
import { readBuild } from '../../package-folder.ts';
import type { Command } from '../command.ts';
import { writeExport } from '../export-files.ts';
import { ExportFolder } from '../export-folder.ts';
import { readPositionals } from '../options.ts';
import { createProgress, printNotes, printResult, printTable } from '../output.ts';

const exportAll: Command = {
  name: 'export',
  summary: 'writes everything of the organisation as CSV and JSON',
  usage: 'DIR',
  details: `
Writes everything that the organisation has to the new folder DIR, which only
you can read, also while the service runs. The files are of one moment, and DIR
is there only when they are whole.

CSV is for spreadsheets: text that begins with = + - or @ has an apostrophe in
front. NDJSON has the documents of the HTTP interface, one on each line.
\`projects import\` reads projects.json, and \`push\` reads rows-api.ndjson.

To move to another machine, use \`budgetd backup\`: it takes keys, passwords,
allocations and the log along.

Example: budgetd export harbour-trust-2026`,
  async run(call) {
    const [name] = readPositionals(call, 'DIR');
    const path = resolve(call.io.cwd, name);
    const { access, service } = await call.openOrganisation();
    const folder = new ExportFolder(path);
    const progress = createProgress(call.io);
    try {
      const { nowMs } = service.actor();
      const showCount = (each: number) => progress.show(`${count(each, 'transaction')} …`);
      const options = { version: readBuild().version, nowMs, onProgress: showCount };
      consistently(access, () => writeExport(access, folder, options));
      const files = folder.finish();
      progress.end();
      printResult(call, { folder: path, files }, () => {
        printTable(call.io, files, [
          { title: 'File', cell: ({ file }) => file },
          {
            title: 'Entries',
            align: 'right',
            cell: ({ entries }) => groupThousands(String(entries)),
          },
        ]);
        printNotes(call.io, `Wrote ${count(files.length, 'file')} to ${path}.`);
      });
    } finally {
      progress.end();
      folder.close();
    }
  },
};

export const commands = [exportAll];
