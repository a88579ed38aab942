/** What was made for a key, kept in a map of any kind; made now if that was not done before. */
export const madeOnce = <K, V>(
  made: { get: (key: K) => V | undefined; set: (key: K, value: V) => unknown },
  key: K,
  make: () => V,
): V => {
  const before = made.get(key)
  if (before !== undefined) return before
  const value = make()
  made.set(key, value)
  return value
}
