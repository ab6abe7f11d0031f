module.exports = {
  input: 'openapi.json',
  output: 'generated/hey-api',
  plugins: ['@hey-api/client-fetch', 'zod', { name: '@hey-api/sdk', validator: true }],
};
