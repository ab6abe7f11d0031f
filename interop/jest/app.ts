import { BudgetdError, createClient } from 'budgetd/client';
import express, { type Express } from 'express';

/** Shows the projects of an organisation. */
export function createApp(url: string, key: string): Express {
  const client = createClient({ url, key, retries: 0 });
  const app = express();
  app.get('/projects', async (_, response) => {
    try {
      const { data } = await client.projects.list();
      response.json(data.map(({ name }) => name));
    } catch (error) {
      const isRefused = error instanceof BudgetdError && error.status !== null;
      response.status(isRefused ? 502 : 503).json({ code: (error as BudgetdError).code });
    }
  });
  return app;
}
