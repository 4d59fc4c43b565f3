#include <cstdio>

int main() { std::puts("fermata " FERMATA_VERSION); }
