import { readFileSync } from 'node:fs'
import type { Decrypter } from 'age-encryption'
import { BackupError } from './backup-file.ts'

/** To whom the private key of the log is encrypted in a backup: as `age` does it, so that its own tool opens it too. */
export type SealFor = { passphrase: string } | { recipient: string }
/** How it is opened again: by the passphrase, or a file with the identity of the recipient. */
export type OpenWith = { passphrase?: string | undefined; identityFile?: string | undefined }

export const sealKey = async (pem: string, to: SealFor): Promise<string> => {
  const { armor, Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  if ('passphrase' in to) encrypter.setPassphrase(to.passphrase)
  else {
    try {
      encrypter.addRecipient(to.recipient)
    } catch {
      throw new BackupError(
        `"${to.recipient.slice(0, 80)}" is no recipient of age: they begin with age1, and age-keygen makes one. Of an SSH key nothing is made here.`,
      )
    }
  }
  return armor.encode(await encrypter.encrypt(pem))
}

export const openKey = async (sealed: string, { passphrase, identityFile }: OpenWith): Promise<string> => {
  const { armor, Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  if (identityFile !== undefined) addIdentities(decrypter, identityFile)
  else if (passphrase !== undefined) decrypter.addPassphrase(passphrase)
  try {
    return await decrypter.decrypt(armor.decode(sealed), 'text')
  } catch {
    throw new BackupError(
      identityFile === undefined
        ? 'The passphrase is not the one that the key in this backup was encrypted to.'
        : `${identityFile} does not open the key in this backup: it was encrypted to another recipient, or to a passphrase.`,
    )
  }
}

const addIdentities = (decrypter: Decrypter, file: string): void => {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    for (const line of lines) if (line.startsWith('AGE-SECRET-KEY-')) decrypter.addIdentity(line.trim())
  } catch {
    throw new BackupError(`${file} cannot be read, or holds no identity of age.`)
  }
}
