import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Counter, Histogram, writeFamily } from '../../src/metrics/exposition.ts';

test('a counter has a line for each of its series', () => {
  const counter = new Counter('rows_total', 'Rows.');
  assert.equal(counter.write(), '');
  counter.add('a', 2, () => ({ result: 'a' }));
  counter.add('b', 0, () => ({ result: 'b' }));
  counter.add('a', 1, () => assert.fail());
  assert.equal(
    counter.write(),
    '# HELP rows_total Rows.\n# TYPE rows_total counter\n' +
      'rows_total{result="a"} 3\nrows_total{result="b"} 0\n',
  );
});

test('the buckets of a histogram add up, with their upper bounds included', () => {
  const histogram = new Histogram('wait_seconds', 'Waits.');
  for (const seconds of [0, 0.001, 0.0011, 10, 11]) histogram.observe('', seconds, () => ({}));
  const lines = histogram.write().split('\n');
  assert.deepEqual(lines.slice(0, 5), [
    '# HELP wait_seconds Waits.',
    '# TYPE wait_seconds histogram',
    'wait_seconds_bucket{le="0.001"} 2',
    'wait_seconds_bucket{le="0.0025"} 3',
    'wait_seconds_bucket{le="0.005"} 3',
  ]);
  assert.deepEqual(lines.slice(-6), [
    'wait_seconds_bucket{le="5"} 3',
    'wait_seconds_bucket{le="10"} 4',
    'wait_seconds_bucket{le="+Inf"} 5',
    'wait_seconds_sum 21.0021',
    'wait_seconds_count 5',
    '',
  ]);
});

test('labels are escaped, and a family without samples is omitted', () => {
  const samples = [{ labels: { a: '"\\\n', b: 'é' }, value: 1 }];
  assert.match(writeFamily('x', 'X.', samples), /^x\{a="\\"\\\\\\n",b="é"\} 1$/m);
  assert.equal(writeFamily('x', 'X.', []), '');
});
