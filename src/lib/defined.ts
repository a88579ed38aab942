type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** The same record without the fields that are undefined: an optional field is either there with a value or not there. */
export const defined = <T extends object>(fields: T): Defined<T> => {
  const found: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) found[key] = value
  return found as Defined<T>
}
