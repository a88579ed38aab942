/** A copy with one more field, which is made when it is first read, of this copy or of a copy of it. */
export const onDemand = <T extends object, K extends string, V>(
  whole: T,
  key: K,
  make: () => V,
): T & { [key in K]: V } => {
  let made: V | undefined
  const get = (): V => {
    made ??= make()
    return made
  }
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(whole))
  return Object.defineProperty(copy, key, { enumerable: true, get }) as T & { [key in K]: V }
}
