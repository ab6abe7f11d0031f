/** How schemas are written: those of the interface carry their descriptions. */

import { Type } from 'typebox';

/** Stated at every amount, because most bank files use the opposite sign. */
export const SIGN = 'Money out is positive, money in is negative.';

/** A schema as a member of an object, with what it means there. */
export const member = <Schema extends Type.TSchema>(schema: Schema, description: string): Schema =>
  Type.With(schema, { description }) as Schema;
/** An object with these members. More can come, so readers ignore those they do not know. */
export const object = <Members extends Type.TProperties>(description: string, members: Members) =>
  Type.Object(members, { description });
export const nullable = <Schema extends Type.TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);
/** A closed list of texts. */
export const oneOf = <const Values extends readonly string[]>(
  values: Values,
  description?: string,
) => {
  const words = description === undefined ? {} : { description };
  return Type.Unsafe<Values[number]>(Type.Enum([...values], words));
};
/** A text that has one of these values so far: others will come, and no reader may refuse them. */
export const openList = (values: readonly string[], description: string) => {
  const known = values.map((each) => `\`${each}\``).join(', ');
  const words = `${description} Known values: ${known}. Others will come, so treat it as text.`;
  return Type.String({ examples: [...values], description: words });
};
/** Any number of items. */
export const list = <Schema extends Type.TSchema>(items: Schema, description: string) =>
  Type.Array(items, { description });
export const text = (description: string) => Type.String({ description });
export const textOrNull = (description: string) => member(nullable(Type.String()), description);
/** A whole number. */
export const wholeNumber = (description: string) => Type.Integer({ description });
