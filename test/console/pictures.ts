/** The two pictures of the README, and what tells whether the page looks like them. */

import { createHash } from 'node:crypto';
import { importYear } from '../library/house.ts';
import type { Scope } from '../torture/trial.ts';
import { addUser, Browser, openOffice } from './office.ts';

/** The folder of the pictures, and the file beside them with {@link shapeOfReport}. */
export const PICTURES_FOLDER = 'docs/pictures';
export const SHAPE_FILE = `${PICTURES_FOLDER}/report.shape`;

/** A hash of the kinds of elements of the report, by tag and class, whatever its project is. */
export async function shapeOfReport(scope: Scope): Promise<string> {
  const office = await openOffice(scope);
  await addUser(office, 'owner');
  const { projectId } = importYear(office);
  const browser = await Browser.of(office, 'owner@example.org');
  const { text } = await browser.get(`/projects/${projectId}`);
  const elements = text.matchAll(/<(\w+)[^>]*?(?: class="([^"]*)")?[^>]*>/g);
  const kinds = new Set([...elements].map(([, tag, names]) => `${tag} ${names ?? ''}`));
  const shape = [...kinds].sort().join('\n');
  return createHash('sha256').update(shape).digest('hex');
}
