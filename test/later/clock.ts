/** A clock that a test moves. */
export const clockAt = (start: number) => {
  let at = start
  return {
    now: () => at,
    pass: (ms: number) => {
      at += ms
    },
  }
}
