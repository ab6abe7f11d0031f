/** Locales of numbers and dates. */

/** The locale of a language tag, without what follows the region: there are endless ones. */
export function findLocale(tag: string): string | undefined {
  if (!/^[A-Za-z]{2,3}(?:-[A-Za-z]{2})?$/.test(tag)) return undefined;
  return Intl.NumberFormat.supportedLocalesOf(tag)[0];
}
