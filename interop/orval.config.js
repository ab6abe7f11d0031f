module.exports = {
  budgetd: {
    input: 'openapi.json',
    output: {
      target: 'generated/orval.ts',
      client: 'fetch',
      override: { mutator: { path: 'clients/orval-fetch.ts', name: 'orvalFetch' } },
    },
  },
  zod: { input: 'openapi.json', output: { target: 'generated/orval-zod.ts', client: 'zod' } },
};
