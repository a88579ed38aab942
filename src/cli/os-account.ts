import { userInfo } from 'node:os'

/** Who runs this. A user id without an entry, as in a container, is named by its number. */
export const osAccount = (): string => {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
