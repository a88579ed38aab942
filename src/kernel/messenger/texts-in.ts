/** Every text in a message as a platform gives it back, wherever it stands in it. */
export const textsIn = function* (value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) yield* textsIn(part)
}
