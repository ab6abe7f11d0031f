import { reportDocument } from '../../api/documents.ts';
import { GRANULARITIES } from '../../core/calendar.ts';
import { formatId } from '../../core/ids.ts';
import { type LineFilter, selectLines } from '../../core/report-lines.ts';
import { getReport } from '../../operations/projects.ts';
import { finish } from '../../operations/turns.ts';
import { type Call, type Command, UsageError } from '../command.ts';
import { findProject } from '../lookup.ts';
import { hasFlag, optionText, readChoice, readPositionals } from '../options.ts';
import { printJson, printLines, printNotes } from '../output.ts';
import { paintsFor, terminalWidth } from '../paint.ts';
import { formatReport } from '../report-text.ts';

const report: Command = {
  name: 'report',
  summary: "compares a project's budget with its actuals",
  usage: 'PROJECT [--granularity monthly|quarterly] [--q TEXT] [--over-budget] [--csv]',
  details: `
  PROJECT           the id or the exact name of a project
  --granularity G   monthly (the default) or quarterly
  --q TEXT          only lines with this text in code, name or category
  --over-budget     only lines over budget
  --csv             print CSV for spreadsheets: one entry for each line and
                    period. Actuals dated outside the project have the
                    period outside, so that the file adds up

Variance is budget minus actual: a negative variance is over budget. A wider
terminal shows more periods side by side. The CSV is UTF-8 with a byte order
mark. Text that begins with = + - or @ gets an apostrophe in front, so that
spreadsheets do not run it as a formula.

Example: budgetd report "Youth work 2026" --granularity quarterly`,
  async run(call) {
    const [wanted] = readPositionals(call, 'PROJECT');
    const asked = optionText(call, 'granularity') ?? 'monthly';
    const granularity = readChoice('--granularity', asked, GRANULARITIES);
    const filter = readFilter(call);
    const { access } = await call.openOrganisation();
    const { organisation } = access;
    const { currency } = organisation;
    const project = findProject(access, wanted);
    const found = getReport(access, formatId('prj', project.id), granularity);
    const { io } = call;
    const lines = selectLines(found, filter);
    if (call.json) printJson(io, reportDocument(found, organisation));
    else if (hasFlag(call, 'csv')) {
      const { formatReportCsv } = await import('../../operations/report-csv.ts');
      const parts = [{ project: project.name, lines }];
      io.stdout.write(finish(formatReportCsv(found.periods, parts, currency)).join(''));
    } else if (lines.length === 0 && found.rows.length > 0) {
      printNotes(io, 'No lines match.');
    } else {
      const view = { project, report: found, currency, lines };
      const width = terminalWidth(io);
      printLines(io, ...formatReport({ ...view, paints: paintsFor(io), width }));
    }
  },
};

function readFilter(call: Call): LineFilter {
  const filter = { search: optionText(call, 'q'), overBudget: hasFlag(call, 'over-budget') };
  const isFiltered = filter.search !== undefined || filter.overBudget;
  if (call.json && (isFiltered || hasFlag(call, 'csv'))) {
    throw new UsageError('--json prints the whole report. Omit --q, --over-budget and --csv.');
  }
  return filter;
}

export const commands = [report];
