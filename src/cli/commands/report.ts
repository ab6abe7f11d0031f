import { reportDocument, rolledUpDocument } from '../../api/documents.ts';
import { GRANULARITIES, isMonth } from '../../core/calendar.ts';
import { formatId } from '../../core/ids.ts';
import { selectLines } from '../../core/report-lines.ts';
import { budgetToDate, getRolledUp, listParts } from '../../operations/roll-up.ts';
import { type Call, type Command, UsageError } from '../command.ts';
import { lookUpProject } from '../lookup.ts';
import { hasFlag, optionText, pickOption, readPositionals } from '../options.ts';
import { printJson, printLines, printNotes } from '../output.ts';
import { paintsFor, terminalWidth } from '../paint.ts';
import { formatReport } from '../report-text.ts';
import { readXlsx, writeXlsx } from '../workbooks.ts';

const report: Command = {
  name: 'report',
  summary: "compares a project's budget with its actuals",
  usage:
    'PROJECT [--granularity monthly|quarterly] [--from MONTH] [--to MONTH] ' +
    '[--with-sub-projects] [--q TEXT] [--over-budget] [--csv|--xlsx FILE]',
  details: `
  PROJECT           the id or the exact name of a project
  --granularity G   monthly (the default) or quarterly
  --from MONTH      only from this month on, such as 2026-04
  --to MONTH        only to the end of this month
  --with-sub-projects
                    also the lines of the projects below
  --q TEXT          only lines with this text in code, name or category
  --over-budget     only lines over budget; income never is
  --csv             print CSV for spreadsheets: one entry for each line and
                    period. Actuals dated outside the project have the
                    period outside, so that the file adds up
  --xlsx FILE       write the same as an Excel workbook to a new file

What is left is budget minus spent: below 0, the line is over budget. Of income,
what is to come is expected minus received. A wider terminal shows more periods
side by side. The CSV is UTF-8 with a byte order mark. Text that begins with = +
- or @ gets an apostrophe in front, so that spreadsheets do not run it as a
formula.

Example: budgetd report "Youth work 2026" --granularity quarterly`,
  choices: { granularity: GRANULARITIES },
  async run(call) {
    const [wanted] = readPositionals(call, 'PROJECT');
    const asked = optionText(call, 'granularity') ?? 'monthly';
    const granularity = pickOption('--granularity', asked, GRANULARITIES);
    const [from, to] = [readMonth(call, 'from'), readMonth(call, 'to')];
    const filter = readFilter(call);
    const file = readXlsx(call);
    const { access } = await call.openOrganisation();
    const { organisation } = access;
    const { currency } = organisation;
    const { id } = lookUpProject(access, wanted);
    const withSubProjects = hasFlag(call, 'with-sub-projects');
    const query = { granularity, from, to, withSubProjects };
    const rolled = getRolledUp(access, formatId('prj', id), query);
    const { io } = call;
    const { report, unallocated } = rolled;
    const whole = [...listParts(rolled)];
    const parts = whole.map(({ project, lines }) => {
      return { project, lines: selectLines(lines, filter) };
    });
    const lines = parts.flatMap(({ project, lines: some }) => {
      return project.id === id
        ? some
        : some.map(({ line, ...row }) => {
            // A line of a project below says whose it is.
            return { ...row, line: { ...line, name: `${project.name}: ${line.name}` } };
          });
    });
    const all = whole.flatMap((part) => part.lines);
    if (call.json && withSubProjects) printJson(io, rolledUpDocument(rolled, organisation));
    else if (call.json) printJson(io, reportDocument({ ...report, unallocated }, organisation));
    else if (hasFlag(call, 'csv') || file !== undefined) {
      const files = await import('../../operations/report-csv.ts');
      const content = [report.periods, parts, currency] as const;
      if (file === undefined) io.stdout.write([...files.formatReportCsv(...content)].join(''));
      else await writeXlsx(call, file, () => files.formatReportXlsx(...content));
    } else if (lines.length === 0 && all.length > 0) {
      printNotes(io, 'No lines match.');
    } else {
      const due = budgetToDate(access, rolled, Date.now(), query);
      const view = { rolled, all, lines, currency, due };
      const width = terminalWidth(io);
      printLines(io, ...formatReport({ ...view, paints: paintsFor(io), width }));
    }
  },
};

/** The month of an option. Refuses with a UsageError. */
export function readMonth(call: Call, name: 'from' | 'to'): string | undefined {
  const text = optionText(call, name);
  if (text === undefined || isMonth(text)) return text;
  throw new UsageError(`--${name} must be a month from 1900-01 to 2199-12, not "${text}".`);
}

function readFilter(call: Call) {
  const filter = { search: optionText(call, 'q'), overBudget: hasFlag(call, 'over-budget') };
  if (call.json && (filter.search !== undefined || filter.overBudget)) {
    throw new UsageError('--json prints the whole report. Omit --q and --over-budget.');
  }
  return filter;
}

export const commands = [report];
