import type { Rule } from './rule.ts'

/** With its signs, of which one may be a word. */
export const email: Rule = {
  type: 'email',
  pattern:
    /[\p{L}\p{N}._%+-]{1,64}(?: ?@ ?| ?[[({](?:at|arobase|a)[\])}] ?| arobase )[\p{L}\p{N}-]{1,63}(?:(?:\.| ?[[({](?:dot|point)[\])}] ?)[\p{L}\p{N}-]{1,63}){1,8}/giu,
}
