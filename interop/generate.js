// Generates a client with each tool, as its documentation shows it.

const { execFileSync } = require('node:child_process');
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const Postman = require('openapi-to-postmanv2');

const DOCUMENT = 'openapi.json';
mkdirSync('generated');
cli('openapi-typescript/bin/cli.js', DOCUMENT, '-o', 'generated/openapi-typescript.ts');
cli('openapi-zod-client/bin.js', DOCUMENT, '-o', 'generated/openapi-zod-client.ts');
cli('@hey-api/openapi-ts/bin/run.js', '--file', 'hey-api.config.cjs');
cli('orval/dist/bin/orval.js', '--config', 'orval.config.js');
const data = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
const options = { requestParametersResolution: 'Example', enableOptionalParameters: false };
Postman.convert({ type: 'json', data }, options, (error, { result, reason, output }) => {
  if (error || !result) throw error ?? new Error(reason);
  writeFileSync('generated/postman.json', JSON.stringify(output[0].data));
});

function cli(script, ...argv) {
  execFileSync(process.execPath, [`node_modules/${script}`, ...argv], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
