/** Generates `src/client/documents.ts`. Run `npm run client-types` when a test fails. */

import { writeFileSync } from 'node:fs';
import { DOCUMENT } from '../api/example-world.ts';
import { ROOT } from '../repository.ts';
import { writeDocumentTypes } from './document-types.ts';

writeFileSync(`${ROOT}src/client/documents.ts`, writeDocumentTypes(DOCUMENT));
