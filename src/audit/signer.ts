import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyIdOf } from '../../verify.mjs'
import type { LogSigner } from '../model/checkpoint.ts'

const keyFile = 'audit-key.pem'
const name = 'bellhop'

/** The key that was given, or the one beside the data; the first start makes one. Only this account may read it. */
export const openSigner = (given: string | undefined, dataDir: string): LogSigner =>
  signerOf(createPrivateKey(given ?? readOrMake(join(dataDir, keyFile), dataDir)))

const signerOf = (privateKey: KeyObject): LogSigner => {
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new TypeError('the key of the log must be Ed25519')
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const material = Buffer.concat([Buffer.of(1), der.subarray(-32)])
  const id = keyIdOf(name, material)
  const signed = (text: string): Buffer => sign(null, Buffer.from(text), privateKey)
  return {
    key: `${name}+${id}+${material.toString('base64')}`,
    checkpoint: ({ origin, size, root }) => {
      const text = `${origin}\n${size}\n${root.toString('base64')}\n`
      const signature = Buffer.concat([Buffer.from(id, 'hex'), signed(text)]).toString('base64')
      return `${text}\n\u2014 ${name} ${signature}\n`
    },
    seal: (text) => signed(text).toString('base64'),
  }
}

const readOrMake = (file: string, folder: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(folder, { recursive: true })
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  try {
    writeFileSync(file, pem, { flag: 'wx', mode: 0o600 })
    return pem
  } catch (error) {
    // Another process made one in the same moment.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readFileSync(file, 'utf8')
    throw error
  }
}

/** For a log that nobody keeps. */
export const newSigner = (): LogSigner => signerOf(generateKeyPairSync('ed25519').privateKey)
