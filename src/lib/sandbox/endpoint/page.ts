export interface Page<T> {
  items: T[]
  total: number
  totalPages: number
  hasNextPage: boolean
  hasPrevPage: boolean
}

export function pageOf<T>(all: readonly T[], page: number, limit: number): Page<T> {
  const totalPages = Math.ceil(all.length / limit)
  return {
    items: all.slice((page - 1) * limit, page * limit),
    total: all.length,
    totalPages,
    hasNextPage: page < totalPages,
    hasPrevPage: page > 1,
  }
}
