/**
 * "1,234.5", with at least and at most so many digits behind the point. Of a size that people count in it is written here,
 * because the first use of `Intl` costs a process 7 MiB and 20 ms.
 */
export const formatNumber = (value: number, { least = 0, most = 3 } = {}): string => {
  const size = Math.abs(value)
  if (!(size < 1e11))
    return value.toLocaleString('en-US', { minimumFractionDigits: least, maximumFractionDigits: most })
  const [whole = '', part = ''] = rounded(size, most).toFixed(most).split('.')
  const groups: string[] = []
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end))
  const shown = String(Number(`0.${part}`))
    .slice(2)
    .padEnd(least, '0')
  const text = shown === '' ? groups.join(',') : `${groups.join(',')}.${shown}`
  return value < 0 && /[1-9]/.test(text) ? `-${text}` : text
}

/** As people round what they read: 1.005, which is a little less in binary, to 1.01. */
const rounded = (size: number, most: number): number =>
  size < 1e-6 ? 0 : Number(`${Math.round(Number(`${size}e${most}`))}e-${most}`)
