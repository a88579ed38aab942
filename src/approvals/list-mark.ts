/** At the end of a button in a list: which page of what waits it stands on, so that the list is drawn again and not replaced. */
export const listMark = (page: number): string => `list${page}`

export const listPageOf = (button: string): number | undefined => {
  const [, , mark = ''] = button.split('.')
  return mark.startsWith('list') ? Number(mark.slice(4)) || 1 : undefined
}
