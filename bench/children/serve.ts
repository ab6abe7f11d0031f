/** `budgetd serve` without the command line: `serve.js FILE`. Prints its address. */

import { createService } from '../../src/index.ts';

const [, , database = ''] = process.argv;
const service = await createService({ database });
const { url } = await service.listen({ port: 0 });
process.stdout.write(`${JSON.stringify({ url })}\n`);
process.once('SIGTERM', () => void service.close());
