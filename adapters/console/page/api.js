// @ts-check

/** @param {string} path @param {Record<string, string> | string[][]} [query] */
export const get = async (path, query = {}) => {
  const response = await fetch(`/console/api/${path}?${new URLSearchParams(query)}`)
  return read(response)
}

const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * Each request carries its own number, so that one whose answer was lost on the way can be sent again safely.
 * @param {string} path @param {Record<string, unknown>} body
 */
export const post = async (path, body) => {
  const text = JSON.stringify({ delivery: newId(), ...body })
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(`/console/api/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-time-zone': timeZone },
        body: text,
      })
      return await read(response)
    } catch (error) {
      if (!(error instanceof TypeError) || attempt === 3) throw error
      await new Promise((resolve) => setTimeout(resolve, 400 * attempt))
    }
  }
}

/** As much as the bot takes. */
const maxFileBytes = 25 * 1024 * 1024

/** A file as it travels in JSON. @param {File} file @returns {Promise<{ name: string, base64: string }>} */
export const toSent = (file) =>
  new Promise((resolve, reject) => {
    if (file.size > maxFileBytes) {
      reject(
        new Error(`${file.name} is larger than 25 MB. Split it, and send the parts one after the other.`),
      )
      return
    }
    const reader = new FileReader()
    reader.onload = () => resolve({ name: file.name, base64: String(reader.result).split(',')[1] ?? '' })
    reader.onerror = () => reject(new Error(`${file.name} could not be read.`))
    reader.readAsDataURL(file)
  })

/** @param {Response} response */
const read = async (response) => {
  if (response.ok) return response.json()
  throw new Error(wordsOf(await response.text().catch(() => '')) || 'The console did not answer.')
}

/** The routes refuse in JSON; what stands before them, in plain words. @param {string} text */
const wordsOf = (text) => {
  try {
    return String(JSON.parse(text).message ?? '')
  } catch {
    return text.startsWith('<') ? '' : text.trim()
  }
}

/** `crypto.randomUUID` exists only where the address is secure; a console on a local network is not. */
const newId = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
