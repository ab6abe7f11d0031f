/** Answers of a later version 1: with members, codes and names that this one does not know. */

/** An answer with one more member in each object, and other words wherever a list is open. */
export function laterAnswer<Answer>(answer: Answer): Answer {
  if (typeof answer !== 'object' || answer === null) return answer;
  if (Array.isArray(answer)) return answer.map(laterAnswer) as Answer;
  const members = Object.entries(answer).map(([name, each]) => {
    const isOfLine = 'budgetLineId' in answer || Object.keys(answer).length === 2;
    if (name === 'provider' || (name === 'code' && !isOfLine)) return [name, 'later_word'];
    if (name === 'changed' && each.length > 0) return [name, [...each, 'laterMember']];
    return [name, laterAnswer(each)];
  });
  return { ...Object.fromEntries(members), laterMember: { more: [1, 'text', null] } };
}
