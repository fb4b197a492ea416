import { digitsOf, type Rule, wholeWhen } from './rule.ts'

export const paymentCard: Rule = {
  type: 'payment_card',
  pattern: /(?<![\p{L}\p{N}])(?:[3-6]\d{3}(?:[ .-]?\d{4}){2}[ .-]?\d{3,4}|3[47]\d{2}[ .-]?\d{6}[ .-]?\d{5})(?![\p{L}\p{N}])/gu,
  reach: wholeWhen(isCard),
}

/** The check digit of payment cards (Luhn; ISO/IEC 7812-1). */
function isCard(candidate: string): boolean {
  const sum = [...digitsOf(candidate)].reverse().reduce((all, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return all + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
