/** A second service on the database of another one: `second.js FILE`. */

import { createService } from '../../../src/index.ts';

const service = await createService({ database: process.argv[2] ?? '', rateLimit: false });
const { url } = await service.listen({ port: 0 });
process.send?.({ url });
