import type { View } from '../../lib/view/view.ts'
import { readButton } from '../model/shown.ts'

/** At the end of a button in a list: where in the list of what waits it stands, so that this is drawn again and not replaced. */
export const listMark = (page: number): string => `list${page}`

/** The buttons of a part of a page say which part it is. */
export const withPartMarks = (view: View, part: number): View => ({
  ...view,
  blocks: view.blocks.map((block) =>
    block.kind !== 'requests' || part === 0
      ? block
      : {
          ...block,
          requests: block.requests.map((one) => ({
            ...one,
            actions: one.actions.map((action) =>
              listPlaceOf(action.id) === undefined ? action : { ...action, id: `${action.id}-${part}` },
            ),
          })),
        },
  ),
})

export const listPlaceOf = (button: string): { page: number; part: number } | undefined => {
  const mark = readButton(button)
    .rest?.split('.')
    .find((one) => one.startsWith('list'))
  if (mark === undefined) return undefined
  const [page, part] = mark.slice(4).split('-')
  return { page: Number(page) || 1, part: Number(part ?? 0) || 0 }
}
