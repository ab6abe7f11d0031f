import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/core/failures.ts';
import { PartReader } from '../../src/http/multipart.ts';

/** The parts of a body that arrives in these pieces, or the code of its refusal. */
function split(pieces: readonly Buffer[]): unknown {
  const parts: { name: string; fileName: string | undefined; content: string; ended: boolean }[] =
    [];
  const reader = new PartReader('B', (name, fileName) => {
    const part = { name, fileName, content: '', ended: false };
    parts.push(part);
    return {
      add(bytes) {
        assert.ok(bytes.length > 0 && !part.ended);
        part.content += bytes.toString('latin1');
      },
      end() {
        part.ended = true;
      },
    };
  });
  try {
    for (const piece of pieces) reader.push(piece);
    reader.finish();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
  assert.ok(parts.every(({ ended }) => ended));
  return parts;
}

/** Numbers that look random but are the same every time. */
function createRandom(): (below: number) => number {
  let state = 4711;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
}

const PIECES = ['\r', '\n', '\r\n', '-', '--', '--B', '\r\n--', '\r\n--A', 'x', '\u0000', '\xff'];

test('content that is nearly a boundary arrives whole, in any pieces', () => {
  const random = createRandom();
  for (let round = 0; round < 2_000; round += 1) {
    const contents = Array.from({ length: random(4) }, () =>
      Array.from({ length: random(8) }, () => PIECES[random(PIECES.length)] ?? '')
        .join('')
        .replaceAll('\r\n--B', ''),
    );
    const sound = contents.filter(
      (content) => !`\r\n${content}\r\n--B`.slice(0, -5).includes('\r\n--B'),
    );
    const body = sound.map((content, at) => {
      const file = at % 2 === 0 ? '' : '; filename="f"';
      return `--B\r\nContent-Disposition: form-data; name="n${at}"${file}\r\n\r\n${content}\r\n`;
    });
    const bytes = Buffer.from(`${body.join('')}--B--\r\n`, 'latin1');
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      const end = at + 1 + random(round % 3 === 0 ? 3 : 80);
      pieces.push(bytes.subarray(at, end));
      at = end;
    }
    const expected = sound.map((content, at) => ({
      name: `n${at}`,
      fileName: at % 2 === 0 ? undefined : 'f',
      content,
      ended: true,
    }));
    assert.deepEqual(split(pieces), expected, JSON.stringify(bytes.toString('latin1')));
  }
});

test('a changed body is split or refused, whatever the pieces, and nothing else', () => {
  const random = createRandom();
  const good =
    '--B\r\nContent-Disposition: form-data; name="a"; filename="b"\r\nX: y\r\n\r\n1\r\n' +
    '--B\r\nContent-Disposition: form-data; name="c"\r\n\r\n2\r\n--B--\r\n';
  let refused = 0;
  for (let round = 0; round < 5_000; round += 1) {
    const bytes = Buffer.from(good);
    for (let change = random(3); change >= 0; change -= 1) {
      bytes[random(bytes.length)] =
        Buffer.from('\r\n-B:;"= \\x\u0000\xff', 'latin1')[random(13)] ?? 0;
    }
    const whole = split([bytes]);
    const cut = random(bytes.length);
    assert.deepEqual(split([bytes.subarray(0, cut), bytes.subarray(cut)]), whole);
    if (typeof whole === 'string') refused += 1;
  }
  assert.ok(refused > 2_000 && refused < 5_000, `${refused} refused`);
});
