import * as client from '../generated/orval';
import * as zod from '../generated/orval-zod';
import { target } from './orval-fetch';
import { type Connect, Refused, ROWS } from './steps';

export const connect: Connect = (url, key) => {
  Object.assign(target, { url, key });
  return {
    async listProjects() {
      const answer = await client.listProjects();
      if (answer.status !== 200) throw new Refused(answer.data.code);
      const { data } = zod.listProjectsResponse.parse(answer.data);
      return Object.fromEntries(data.map(({ id, name }) => [id, name]));
    },
    async report(id) {
      const answer = await client.getProjectReport(id, { granularity: 'quarterly' });
      if (answer.status !== 200) throw new Refused(answer.data.code);
      return zod.getProjectReportResponse.parse(answer.data).data.totals.total.actual;
    },
    async push() {
      const answer = await client.pushTransactions({ rows: ROWS });
      if (answer.status !== 200) throw new Refused(answer.data.code);
      return zod.pushTransactionsResponse.parse(answer.data).data.map(({ status }) => status);
    },
    async readBack(externalId) {
      const answer = await client.listTransactions({ externalId });
      if (answer.status !== 200) throw new Refused(answer.data.code);
      return zod.listTransactionsResponse.parse(answer.data).data[0]?.amount;
    },
  };
};
