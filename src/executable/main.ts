/** What `bin/budgetd` is for the package: starts the command line. */

import './driver.ts';
import { main } from '../cli/main.ts';

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error) => {
    process.stderr.write(`budgetd: ${error.message}\n`);
    process.exitCode = 1;
  },
);
