/**
 * The first step of `npm run build`: writes the types of the client. The compiler needs them, so
 * `client-types.js` bundles this file from its source and runs it.
 */

import { writeFileSync } from 'node:fs';
import { SchemaComponents } from '../reference/openapi-schemas.ts';
import { listQueries } from '../reference/queries.ts';
import { writeDocumentTypes } from './document-types.ts';

const components = new SchemaComponents();
components.referAll();
writeFileSync('src/client/documents.ts', writeDocumentTypes(components.list(), listQueries()));
