import { windowsIn } from './digit-groups.ts'
import { digitsOf, type Rule } from './rule.ts'

/** Group lengths of cards as printed or typed: by four, American Express, in one piece, in pairs, digit by digit, in few uneven groups. */
const shape =
  /^(?:4,4,4,[34]|4,4,4,4,[123]|4,6,[45]|1[3-9]|8,8|(?:2,){7}2|(?:1,){15}1|(?!\d,3(?:,3){1,4}$)(?:[2-9]|1[0-4])(?:,(?:[2-9]|1[0-4])){1,4})$/
const digitCounts = [13, 19] as const

export const paymentCard: Rule = {
  type: 'payment_card',
  find: (text) =>
    windowsIn(text, digitCounts, ({ groups }) => {
      const written = groups.map(({ digits }) => digits)
      return shape.test(written.map((each) => each.length).join(',')) && isCard(written.join(''))
    }),
}

/** Verifies the network's first digits and the check digit (Luhn; ISO/IEC 7812-1). */
function isCard(candidate: string): boolean {
  if (!/^(?:[3-6]|2[2-7])/.test(candidate)) return false
  const sum = [...digitsOf(candidate)].reverse().reduce((all, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return all + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
