import { describe, expect, it } from 'vitest'
import {
  appendLeaves,
  consistencyRanges,
  emptyFrontier,
  foldRight,
  inclusionRanges,
  type LeafRange,
  leafHashOf,
  rootOf,
  subtreesOf,
} from '../../src/lib/codecs/merkle.ts'
import { isConsistent, isIncluded } from '../../verify.mjs'

/** The tree of eight leaves that implementations of RFC 6962 test each other with. */
const leaves = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => leafHashOf(Buffer.from(hex, 'hex')))

const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

const treeOf = (all: readonly Buffer[]) => {
  const nodes = new Map(all.map((leaf, index) => [`0/${index}`, leaf]))
  const frontier = appendLeaves(emptyFrontier, all, ({ level, index }, hash) =>
    nodes.set(`${level}/${index}`, hash),
  )
  const hashOf = (range: LeafRange) =>
    foldRight(subtreesOf(range).map(({ level, index }) => nodes.get(`${level}/${index}`) as Buffer))
  return { root: rootOf(frontier), hashOf }
}

describe('the tree of RFC 6962', () => {
  it('has the published roots, of nothing and of one to eight leaves', () => {
    expect(rootOf(emptyFrontier).toString('hex')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    )
    expect(leaves.map((_, at) => treeOf(leaves.slice(0, at + 1)).root.toString('hex'))).toEqual(roots)
  })

  it('gives the published proofs', () => {
    const { hashOf } = treeOf(leaves)
    const shown = (ranges: LeafRange[]) => ranges.map((range) => hashOf(range).toString('hex').slice(0, 16))
    expect(shown(inclusionRanges(0, 8))).toEqual(['96a296d224f285c6', '5f083f0a1a33ca07', '6b47aaf29ee3c2af'])
    expect(shown(inclusionRanges(5, 8))).toEqual(['bc1a0643b12e4d2d', 'ca854ea128ed050b', 'd37ee418976dd957'])
    expect(shown(consistencyRanges(6, 8))).toEqual([
      '0ebc5d3437fbe2db',
      'ca854ea128ed050b',
      'd37ee418976dd957',
    ])
    expect(shown(consistencyRanges(2, 5))).toEqual(['5f083f0a1a33ca07', 'bc1a0643b12e4d2d'])
  })

  it('proves each leaf of each size, and each smaller tree, to the checker that others are given', () => {
    const all = Array.from({ length: 70 }, (_, at) => leafHashOf(`leaf ${at}`))
    for (let size = 1; size <= all.length; size++) {
      const { root, hashOf } = treeOf(all.slice(0, size))
      for (let index = 0; index < size; index++) {
        const leafHash = all[index] as Buffer
        const proof = inclusionRanges(index, size).map(hashOf)
        expect(isIncluded({ leafHash, index, size, proof, root })).toBe(true)
        expect(isIncluded({ leafHash, index: (index + 1) % size, size, proof, root })).toBe(size === 1)
        const first = index + 1
        const firstRoot = treeOf(all.slice(0, first)).root
        const steps = consistencyRanges(first, size).map(hashOf)
        expect(isConsistent({ first, second: size, firstRoot, secondRoot: root, proof: steps })).toBe(true)
        expect(
          isConsistent({ first, second: size, firstRoot: leafHash, secondRoot: root, proof: steps }),
        ).toBe(firstRoot.equals(leafHash))
      }
    }
  })
})
