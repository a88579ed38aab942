/**
 * Without white space and any of these characters at its end. By hand: a pattern that is bound to the end only looks
 * again from every place where they stand.
 */
export const withoutAtEnd = (text: string, characters: string): string => {
  let end = text.length
  while (end > 0 && (characters.includes(text[end - 1] as string) || text[end - 1]?.trim() === '')) end--
  return text.slice(0, end)
}
